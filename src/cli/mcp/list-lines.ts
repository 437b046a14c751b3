import type { McpServerConfig } from '../../gateway/config/server-config.ts';
import type { ShownServer } from '../../gateway/config/shown-server.ts';
import type { ServerState } from '../../gateway/server/server-state.ts';
import { relative } from 'node:path';
import { problemText } from '../../workflow/config/config-problem.ts';
import type { Cli } from '../cli.ts';
import type { Style } from '../printer.ts';
import { columns } from '../text/columns.ts';
import { lineWidth, paragraph } from '../text/paragraph.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { countText, type PolicyCount } from './decisions.ts';
import type { McpPlace } from './mcp-place.ts';
import { whyUntrusted } from './mcp-errors.ts';
import { wholeMistake } from './mistakes.ts';
import { shownLines } from './shown-lines.ts';

/** How a server of the file does. `untrusted`: nothing of it was started. */
export type ListedState = 'ready' | 'broken' | 'disabled' | 'untrusted';

/** One server of the file, for people and programs. */
export type ListedServer = ShownServer & {
  readonly transport: McpServerConfig['transport'];
  readonly state: ListedState;
  /** Only of one that is ready. */
  readonly tools?: number;
  readonly policy?: PolicyCount;
  readonly server?: ServerState['server'];
  readonly tookMs?: number;
  /** Why it is broken, or what it does wrong although it is ready. */
  readonly problem?: string | undefined;
  /** Where its stderr is kept, when it is a program that was started. Absolute. */
  readonly stderr?: string;
};

const styles: Readonly<Record<ListedState, Style>> = {
  ready: 'green',
  broken: 'red',
  disabled: 'dim',
  untrusted: 'yellow',
};

/** What there is to print of a list of servers. */
export type ServerList = {
  readonly place: McpPlace;
  readonly servers: readonly ListedServer[];
  /** What is wrong with the file beside its servers. */
  readonly problems: readonly string[];
  /** Whether there is a file. */
  readonly exists: boolean;
};

/** A table of servers; below it, in full, those that need somebody, and what to do about them. */
export function listLines(
  cli: Pick<Cli, 'style' | 'stdout' | 'env'>,
  { place, servers, problems, exists }: ServerList,
): string[] {
  const width = lineWidth(cli);
  const { trust, reading, root } = place;
  if (!exists)
    return [
      ...paragraph('', `no mcp.json in ${visibleLine(root)}: there are no servers`, width),
      'add one with: clifford mcp add <server> -- <command> [args…]',
    ];
  const notes = problems.flatMap((problem) => paragraph('note: ', visibleLine(problem), width));
  const unread = wholeMistake(reading);
  if (unread) return paragraph('', visibleLine(problemText(unread)), width);
  if (servers.length === 0) return ['mcp.json has no servers', ...notes];
  const troubled = servers.filter(({ problem }) => problem !== undefined);
  const hasBroken = troubled.some(({ state }) => state === 'broken');
  return [
    ...table(cli, servers),
    ...troubled.flatMap((server) => ['', ...troubleLines(server, root, width)]),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...(hasBroken ? ['', 'for each check, and what to do: clifford mcp doctor'] : []),
    ...(trust.is === 'trusted'
      ? []
      : ['', ...paragraph('', untrustedText(visibleLine(reading.file), whyUntrusted(trust)), width)]),
  ];
}

function untrustedText(file: string, why: string): string {
  return `Nothing was started: ${visibleLine(why)}. Look at what ${file} would run, and trust it, with: clifford mcp trust`;
}

function table({ style }: Pick<Cli, 'style'>, servers: readonly ListedServer[]): string[] {
  const rows = servers.map(({ id, transport, state, tools, policy }) => [
    visibleLine(id),
    transport,
    style(styles[state], state),
    tools === undefined ? '-' : String(tools),
    policy === undefined ? '-' : countText(policy),
  ]);
  return columns([['SERVER', 'TRANSPORT', 'STATE', 'TOOLS', 'POLICY'], ...rows]);
}

function troubleLines(server: ListedServer, root: string, width: number): string[] {
  const { id, problem = '', state, stderr } = server;
  return [
    ...paragraph(`${visibleLine(id)}: `, visibleLine(problem), width),
    ...(state === 'broken' ? shownLines(server, width) : []),
    ...(stderr === undefined ? [] : paragraph('    stderr   ', visibleLine(relative(root, stderr)), width)),
  ];
}
