import { resolve } from 'node:path';
import { evaluate, type MemberNode } from '@humanwhocodes/momoa';
import { keyText } from '../../workflow/config/config-keys.ts';
import { placeText } from '../../workflow/config/config-problem.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { nameOf, placeOf } from '../../workflow/config/json-places.ts';
import { digestOf } from '../tools/digest-of.ts';
import type { McpConfigProblem } from './mcp-config-reading.ts';
import { serverSchema, type ServerEntry } from './mcp-schema.ts';
import { problemAt, readSection, type Section } from './read-section.ts';
import { secretWarnings } from './secret-warnings.ts';
import type { McpServerConfig } from './server-config.ts';
import { idleKeys, sameTransport, serverMisfits } from './server-rules.ts';
import { shownServer, type ShownServer } from './shown-server.ts';

/** One entry of `servers`, read. */
export type ServerReading = {
  readonly id: string;
  /** `undefined`: it cannot be used, `problems` says why. */
  readonly config: McpServerConfig | undefined;
  readonly shown: ShownServer;
  /** Of what would be run or reached, variables by their names. */
  readonly digest: string;
  readonly problems: readonly McpConfigProblem[];
  readonly warnings: readonly string[];
};

/** Keys that change nothing about what is run or reached, or about what is believed. */
const NEUTRAL_KEYS = new Set(['disabled', 'autoStart', 'timeout', 'startTimeout']);

/** Reads one entry of `servers`. Its id is not looked at. */
export function readServer(place: Section & { readonly id: string; readonly root: string }): ServerReading {
  const { id, node, env } = place;
  const written: unknown = evaluate(node);
  const fields = typeof written === 'object' && written !== null ? Object.entries(written) : [];
  const { entry, problems } = checkedEntry(place);
  return {
    id,
    config: entry && configOf(place, entry),
    shown: shownServer(id, written, env),
    digest: digestOf(node.type === 'Object' ? withoutNeutral(fields) : written),
    problems: problems.map((problem) => ({ ...problem, serverId: id })),
    warnings: [
      ...unknownKeys(place),
      ...(entry ? idleWarnings(place, entry) : []),
      ...secretWarnings(place, Object.fromEntries(fields)),
    ],
  };
}

function checkedEntry(place: Section): {
  entry: ServerEntry | undefined;
  problems: readonly McpConfigProblem[];
} {
  const { value: entry, problems } = readSection(place, serverSchema.strip());
  if (!entry) return { entry, problems };
  const misfits = serverMisfits(entry).map(({ path, rule }) => problemAt(place, path, rule));
  return misfits.length === 0 ? { entry, problems } : { entry: undefined, problems: misfits };
}

function configOf({ id, root }: { id: string; root: string }, entry: ServerEntry): McpServerConfig {
  const { disabled, autoStart, trust, timeout, startTimeout } = entry;
  const common = { id, disabled, autoStart, trust, timeoutMs: timeout, startTimeoutMs: startTimeout };
  const { command, args, cwd = '.', env, url = '', headers, allowInsecure } = entry;
  if (command !== undefined)
    return { ...common, transport: 'stdio', command, args, cwd: resolve(root, cwd), env };
  const said = sameTransport(entry.transport ?? entry.type ?? 'http');
  return { ...common, transport: said === 'sse' ? 'sse' : 'http', url, headers, allowInsecure };
}

function withoutNeutral(fields: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(fields.filter(([key]) => !NEUTRAL_KEYS.has(key)));
}

function unknownKeys(place: Section): string[] {
  const known = Object.keys(serverSchema.shape);
  return membersOf(place)
    .filter((member) => !known.includes(nameOf(member)))
    .map((member) => `Unknown key ${whereOf(place, member)}${didYouMean(nameOf(member), known)}`);
}

function idleWarnings(place: Section, entry: ServerEntry): string[] {
  const idle = idleKeys(entry);
  const kind = entry.url === undefined ? 'command' : 'url';
  return membersOf(place)
    .filter((member) => idle.includes(nameOf(member)))
    .map((member) => `Key ${whereOf(place, member)} has no effect with ${kind}`);
}

function membersOf({ node }: Section): readonly MemberNode[] {
  return node.type === 'Object' ? node.members : [];
}

/** `"servers.fs.autoAprove" in /p/mcp.json:3:5`. */
function whereOf({ file, path }: Section, member: MemberNode): string {
  return `${JSON.stringify(keyText([...path, nameOf(member)]))} in ${placeText(file, placeOf(member))}`;
}
