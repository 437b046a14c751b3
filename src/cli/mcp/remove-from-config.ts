import { parseMcpConfig } from '../../gateway/config/parse-mcp-config.ts';
import { problemText } from '../../workflow/config/config-problem.ts';
import type { Cli } from '../cli.ts';
import { writeTarget } from '../init/target-file.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { cannotChange, readConfigText } from './add-to-config.ts';
import { removeServer } from './edit-mcp-config.ts';
import { noSuchServer } from './mcp-errors.ts';

/** Removes a server from `mcp.json`. Agents that are connected lose its tools at once. */
export async function removeFromConfig(cli: Cli, id: string, { json }: { json?: true }): Promise<void> {
  const { file, root, before } = await readConfigText(cli);
  const text = before ?? '';
  const source = { file, root, env: cli.env };
  const removal = removeServer(text, id);
  if (removal.is === 'refused') throw cannotChange(file, removal.reason);
  if (removal.is === 'missing')
    throw noSuchServer(id, { ...parseMcpConfig(source, text || '{}'), exists: before !== undefined });
  await writeTarget(file, before, removal.text);
  // A rule that names a server which is gone makes the whole policy one that refuses.
  const notes = parseMcpConfig(source, removal.text)
    .problems.filter(({ serverId }) => serverId === undefined)
    .map(problemText);
  if (json) return cli.printJson({ file, removed: id, notes });
  cli.print(visibleLine(`removed ${id} from ${file}`));
  notes.forEach(cli.note);
  if (notes.length > 0) cli.note('until that is corrected, every call is denied');
}
