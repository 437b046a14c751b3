import { CliffordError } from '../../errors.ts';
import { join } from 'node:path';
import { MCP_CONFIG_FILE } from '../../gateway/config/load-mcp-config.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import { parseMcpConfig } from '../../gateway/config/parse-mcp-config.ts';
import { serverIdProblem } from '../../gateway/config/server-config.ts';
import { problemText } from '../../workflow/config/config-problem.ts';
import { findProjectRoot } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import type { Json } from '../../lib/json/json-edits.ts';
import { readTarget, writeTarget } from '../init/target-file.ts';
import { lineWidth } from '../text/paragraph.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { addServer } from './edit-mcp-config.ts';
import { isUnset } from './mistakes.ts';
import { shownLines } from './shown-lines.ts';

export type AddOptions = {
  readonly url?: string;
  readonly transport?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string;
  readonly autoStart?: boolean;
  readonly force?: true;
  readonly json?: true;
};

/** Adds a server to `mcp.json`, which is made where there is none. Starts nothing. */
export async function addToConfig(
  cli: Cli,
  id: string,
  command: readonly string[],
  options: AddOptions,
): Promise<void> {
  const { file, root, before } = await readConfigText(cli);
  const wrong = serverIdProblem(id);
  if (wrong !== undefined)
    throw new CliffordError(`Cannot add ${JSON.stringify(id)}: the id ${wrong}`, {
      code: 'MCP_ENTRY_INVALID',
      fix: 'Choose another id',
    });
  const entry = entryOf(id, command, options);
  const merge = addServer(before ?? '', id, entry);
  if (merge.is === 'refused') throw cannotChange(file, merge.reason);
  if (merge.is === 'different' && !options.force) throw alreadyThere(id, file);
  const text = merge.is === 'there' ? (before ?? '') : merge.text;
  const reading = parseMcpConfig({ file, root, env: cli.env }, text);
  refuseMistake(id, reading);
  if (merge.is !== 'there') await writeTarget(file, before, text);
  const notes = notesOn(id, reading);
  if (options.json) return cli.printJson({ file, id, changed: merge.is !== 'there', notes });
  const did = { there: 'is there already, unchanged, in', added: 'added to', different: 'replaced in' }[
    merge.is
  ];
  cli.print(visibleLine(`${id} ${did} ${file}`));
  const server = reading.shown.find((each) => each.id === id);
  if (server) cli.printLines(shownLines(server, lineWidth(cli)));
  notes.forEach(cli.note);
  cli.print(`next: ${cli.called} mcp trust, then ${cli.called} mcp list`);
}

/** The file as it is, to be changed. @throws {CliffordError} `MCP_CONFIG_UNCHANGEABLE` */
export async function readConfigText({ env, cwd }: Pick<Cli, 'env' | 'cwd'>): Promise<{
  file: string;
  root: string;
  before: string | undefined;
}> {
  const root = findProjectRoot({ env, cwd });
  const file = join(root, MCP_CONFIG_FILE);
  const target = await readTarget(file);
  if (target && 'refused' in target) throw cannotChange(file, target.refused);
  return { file, root, before: target?.text };
}

export function cannotChange(file: string, reason: string) {
  return new CliffordError(`Cannot change ${file}: ${reason}`, {
    code: 'MCP_CONFIG_UNCHANGEABLE',
    fix: 'Correct it by hand, then run the same command again',
  });
}

function entryOf(
  id: string,
  [command, ...args]: readonly string[],
  { url, transport, env = [], header = [], cwd, autoStart = true }: AddOptions,
): { readonly [key: string]: Json } {
  if (command === undefined && url === undefined) {
    throw new CliffordError(`Cannot add ${id}: it needs a command, or a URL`, {
      code: 'MCP_ENTRY_INCOMPLETE',
      fix: `As in: clifford mcp add ${id} -- npx -y <package>, or: clifford mcp add ${id} --url https://…`,
    });
  }
  const variables = Object.fromEntries(env.map((text) => pairOf(text, '=', '--env NAME=value')));
  const headers = Object.fromEntries(header.map((text) => pairOf(text, ':', '--header "Name: value"')));
  return {
    ...(transport === undefined ? {} : { transport }),
    ...(command === undefined ? {} : { command, args }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env.length === 0 ? {} : { env: variables }),
    ...(url === undefined ? {} : { url }),
    ...(header.length === 0 ? {} : { headers }),
    ...(autoStart ? {} : { autoStart }),
  };
}

/** A variable without a value is taken over from the environment when the server starts. */
function pairOf(text: string, sign: '=' | ':', form: string): [string, string] {
  const at = text.indexOf(sign);
  if (at === -1 && sign === '=' && /^[A-Za-z_]\w*$/.test(text)) return [text, `\${${text}}`];
  if (at < 1)
    throw new CliffordError(`Cannot read ${form.split(' ', 1)[0]}: it has no name`, {
      code: 'MCP_ENTRY_INVALID',
      fix: `Write ${form}`,
    });
  return [text.slice(0, at).trim(), sign === ':' ? text.slice(at + 1).trim() : text.slice(at + 1)];
}

/** A variable that is not set here may be set where the server will run. */
function refuseMistake(id: string, { problems, file }: McpConfigReading): void {
  const mistake = problems.find((problem) => problem.serverId === id && !isUnset(problem));
  if (!mistake) return;
  throw new CliffordError(`Cannot add ${id} to ${file}: ${visibleLine(mistake.rule)}`, {
    code: 'MCP_ENTRY_INVALID',
    fix: 'See the options with: clifford mcp add --help',
  });
}

function notesOn(id: string, { problems, warnings }: McpConfigReading): string[] {
  const own = new RegExp(`\\b(servers|mcpServers)\\.(${id}|"${id}")\\b`);
  return [
    ...problems.filter(({ serverId }) => serverId === id || serverId === undefined).map(problemText),
    ...warnings.filter((warning) => own.test(warning)),
  ];
}

function alreadyThere(id: string, file: string) {
  return new CliffordError(`Cannot add ${id}: another server of this name already exists in ${file}`, {
    code: 'MCP_SERVER_EXISTS',
    fix: 'Choose another name, or replace it with --force',
  });
}
