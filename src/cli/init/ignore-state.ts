import { join } from 'node:path';
import { PROMPT_FILE } from '../../runner/plan/prompt-template.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { withOwnSettings } from '../../workflow/git/git.ts';
import { runProgram } from '../../lib/processes/run-program.ts';
import type { Finding } from './finding.ts';
import { SCHEMA_COPY } from './own-files.ts';
import { readTarget } from './target-file.ts';

/** What Clifford remembers is this machine's; the text for agents and the schema are the project's. */
const LINES = [`/${STATE_DIR}/*`, `!/${PROMPT_FILE}`, `!/${SCHEMA_COPY}`];

/** What there is to do for git to leave `.clifford/` alone. Nothing where there is no repository, or no git. */
export async function findIgnore(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding | undefined> {
  const [path, about] = [join(root, '.gitignore'), `keeps what is in ${STATE_DIR}/ out of git`];
  const there: Finding = { is: 'there', shown: '.gitignore', about };
  const args = withOwnSettings(['check-ignore', '--quiet', `${STATE_DIR}/events.jsonl`]);
  const { signal } = new AbortController();
  const { code } = await runProgram('git', args, { cwd: root, env, signal, limitMs: 5_000 });
  if (code === 0) return there;
  // 1: it is not. Anything else: no repository, or no git.
  if (code !== 1) return undefined;
  const found = await readTarget(path);
  if (found && 'refused' in found) return { is: 'refused', shown: '.gitignore', reason: found.refused };
  // Somebody has thought about it.
  if (found && /^[^#\n]*\.clifford/m.test(found.text)) return there;
  const before = found?.text;
  const after = `${before ?? ''}${before === undefined || /(^|\n)$/.test(before) ? '' : '\n'}${LINES.join('\n')}\n`;
  return { is: 'wanted', change: { path, shown: '.gitignore', about, before, after } };
}
