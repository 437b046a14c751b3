import { resolve } from 'node:path';
import { evaluate, type MemberNode } from '@humanwhocodes/momoa';
import { keyText } from '../../workflow/config/config-keys.ts';
import { placeText } from '../../workflow/config/config-problem.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { nameOf, placeOf, nearestNode } from '../../workflow/config/json-places.ts';
import { digestOf } from '../../lib/digest.ts';
import type { McpConfigProblem } from './mcp-config-reading.ts';
import { serverSchema, type ServerEntry } from './mcp-schema.ts';
import { problemAt, readSection, type Section, type Path } from './read-section.ts';
import type { McpServerConfig } from './server-config.ts';
import { idleKeys, sameTransport, serverMisfits } from './server-rules.ts';
import { shownServer, type ShownServer } from './shown-server.ts';
import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { isSecretName } from '../../events/secrets/secret-names.ts';
import { isSecretHeader, literalSecret, maskUrl, secretArgValue } from './mask-secrets.ts';

/** Shorter values of a name like `TOKEN` are more likely numbers and words. */
const MIN_LENGTH = 8;

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

/** A warning for each value of a server that looks like a secret and stands in the file itself. None shows it. */
function secretWarnings(section: Section, written: Partial<ServerEntry>): string[] {
  const { file, path, node } = section;
  return secretPlaces(written).map(({ at, variable }) => {
    const where = placeText(file, placeOf(nearestNode(node, at)));
    const key = keyText([...path, ...at]);
    return `${key} in ${where} looks like a secret: put it into the environment, and \${${variable}} here`;
  });
}

type SecretPlace = { readonly at: Path; readonly variable: string };

function secretPlaces({ command, args, cwd, url, env, headers }: Partial<ServerEntry>): SecretPlace[] {
  const places: SecretPlace[] = [];
  const look = (at: Path, text: unknown, isSecret: boolean, variable: string) => {
    if (typeof text !== 'string') return;
    const isLong = isSecret && (literalSecret(text)?.length ?? 0) >= MIN_LENGTH;
    if (isLong || looksSecret(text)) places.push({ at, variable });
  };
  look(['command'], command, false, 'TOKEN');
  const texts = Array.isArray(args) ? args.map((arg) => (typeof arg === 'string' ? arg : '')) : [];
  for (const [index, arg] of texts.entries())
    look(['args', index], secretArgValue(texts, index) ?? arg, isSecretArg(texts, index), 'TOKEN');
  look(['cwd'], cwd, false, 'TOKEN');
  look(['url'], url, typeof url === 'string' && maskUrl(url) !== url, 'TOKEN');
  for (const [name, value] of entriesOf(env))
    look(['env', name], value, isSecretName(name), variableName(name));
  for (const [name, value] of entriesOf(headers))
    look(['headers', name], value, isSecretHeader(name), variableName(name));
  return places;
}

function isSecretArg(args: readonly string[], index: number): boolean {
  const arg = args[index] ?? '';
  return secretArgValue(args, index) !== undefined || maskUrl(arg) !== arg;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** `X-Api-Key` as a variable: `X_API_KEY`. */
function variableName(name: string): string {
  const words = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return /^[A-Z_]/.test(words) ? words : `_${words}`;
}
