import { evaluate, type MemberNode, type ObjectNode } from '@humanwhocodes/momoa';
import { keyText } from '../../workflow/config/config-keys.ts';
import { placeText } from '../../workflow/config/config-problem.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { isDeeperThan, nameOf, placeOf } from '../../workflow/config/json-places.ts';
import { expandVariables, usesVariables } from '../../workflow/config/expand-variables.ts';
import { parseBody } from '../../workflow/config/parse-body.ts';
import type { KnownServer } from '../policy/rule-problems.ts';
import { digestOf } from '../../lib/digest.ts';
import { unreadableFile, wholeDigest } from './empty-reading.ts';
import type { McpConfigProblem, McpConfigReading } from './mcp-config-reading.ts';
import { mcpFileSchema, policySchema } from './mcp-schema.ts';
import { readPolicy } from './read-policy.ts';
import { readServer, type ServerReading } from './read-server.ts';
import { serverIdProblem } from './server-config.ts';

/** Where the file stands, and with which variables it is read. */
export type McpConfigSource = {
  /** Absolute. */
  readonly file: string;
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Servers that its rules may name beside its own. */
  readonly otherServers?: readonly KnownServer[];
};

/** More than anything in it needs: what reads it goes down level by level. */
const MAX_LEVELS = 100;

/** Reads the text of `mcp.json`: JSON, with comments and trailing commas. Never throws. */
export function parseMcpConfig(source: McpConfigSource, text: string): McpConfigReading {
  const parsed = parseBody(source.file, text);
  if ('problem' in parsed) return unreadableFile(source.file, parsed.problem);
  const { body } = parsed;
  if (isDeeperThan(body, MAX_LEVELS))
    return unreadableFile(source.file, { file: source.file, rule: 'it is nested too deeply' });
  if (body.type !== 'Object')
    return unreadableFile(source.file, {
      file: source.file,
      place: placeOf(body),
      rule: 'the file must be an object, as in { "servers": { … } }',
    });
  return readBody(source, body);
}

function readBody(source: McpConfigSource, body: ObjectNode): McpConfigReading {
  const { file } = source;
  const problems: McpConfigProblem[] = [];
  const warnings: string[] = [];
  const entries: ServerPlace[] = [];
  const policies: MemberNode[] = [];
  for (const member of body.members) {
    const name = nameOf(member);
    if (name === 'policy') policies.push(member);
    else if (name !== 'servers' && name !== 'mcpServers') warnings.push(...unknownKey(file, member, name));
    else if (member.value.type === 'Object')
      entries.push(...member.value.members.map((entry) => ({ section: name, entry })));
    else
      problems.push({
        file,
        place: placeOf(member.value),
        path: [name],
        rule: `${name} must be an object, as in { "<id>": { "command": "…" } }`,
      });
  }
  const servers = readServers(source, entries);
  const policy = readPolicy(source, policies, [...servers.map(knownServer), ...(source.otherServers ?? [])]);
  const digests = {
    servers: new Map(servers.map(({ id, digest }) => [id, digest])),
    policy: policyDigest(
      policies.map(({ value }) => evaluate(value)),
      source.env,
    ),
  };
  return {
    file,
    exists: true,
    servers: servers.flatMap(({ config }) => config ?? []),
    misconfigured: servers.filter(({ config }) => !config).map(({ id }) => id),
    shown: servers.map(({ shown }) => shown),
    policy: policy.value,
    problems: [...problems, ...servers.flatMap((server) => server.problems), ...policy.problems],
    warnings: [...warnings, ...servers.flatMap((server) => server.warnings), ...policy.warnings],
    digests,
    digest: wholeDigest(digests),
  };
}

/** Of what it says, and of what its variables say in it: with another value a rule refuses something else. */
function policyDigest(written: readonly unknown[], env: McpConfigSource['env']): string {
  const text = JSON.stringify(written);
  return digestOf(usesVariables(text) ? [written, expandVariables(text, env)] : written);
}

type ServerPlace = { readonly section: string; readonly entry: MemberNode };

/** Reads each entry on its own. Of ids that stand there twice none can be used: nobody knows which is meant. */
function readServers(source: McpConfigSource, entries: readonly ServerPlace[]): ServerReading[] {
  const byId = new Map<string, ServerPlace[]>();
  for (const place of entries) {
    const id = nameOf(place.entry);
    byId.set(id, [...(byId.get(id) ?? []), place]);
  }
  const ids = [...byId.keys()];
  return [...byId].flatMap(([id, places], index) => {
    const [first, second] = places;
    if (!first) return [];
    const { section, entry } = first;
    const node = entry.value;
    const reading = readServer({ ...source, id, path: [section, id], node });
    const like = ids.slice(0, index).find((other) => other.toLowerCase() === id.toLowerCase());
    const rule =
      serverIdProblem(id) ??
      (second && `appears twice: also as ${keyText([second.section, id])}`) ??
      (like && `differs from ${like} in case only`);
    if (!rule) return [reading];
    const where = placeOf((second ?? first).entry);
    const path = [section, id];
    const problem = { file: source.file, place: where, path, serverId: id, rule: `${keyText(path)} ${rule}` };
    return [{ ...reading, config: undefined, problems: [problem] }];
  });
}

function knownServer({ shown: { id, isFullyTrusted } }: ServerReading): KnownServer {
  return { id, trust: isFullyTrusted ? 'full' : 'untrusted' };
}

function unknownKey(file: string, member: MemberNode, name: string): string[] {
  if (name === '$schema') return [];
  const where = placeText(file, placeOf(member));
  const key = `Unknown key ${JSON.stringify(name)} in ${where}`;
  if (Object.hasOwn(policySchema.shape, name)) return [`${key}; it belongs in "policy"`];
  return [`${key}${didYouMean(name, Object.keys(mcpFileSchema.shape))}`];
}
