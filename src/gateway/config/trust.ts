import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { humansVariable } from '../../workflow/project/who-calls.ts';
import type { AgentPolicy } from './agent-policy.ts';
import type { McpConfigReading } from './mcp-config-reading.ts';
import { readTrust, writeTrust, type TrustedProject } from './trust-store.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether the servers of a project may be started, and if not, what a person has not seen yet. */
export type TrustState =
  | { readonly is: 'trusted'; readonly by: 'record' | 'environment' | 'nothing to run' }
  /** Nobody ever trusted this project's file. */
  | { readonly is: 'new' }
  /** What changed since, one line each: `fs is new`, `the policy has changed`. */
  | { readonly is: 'changed'; readonly changes: readonly string[] };

/**
 * Says whether what a file asks for was trusted before, on this machine, by this user. A repository can name any
 * program in its `mcp.json`: nothing of it may be started, listed or called before.
 *
 * `CLIFFORD_TRUST_PROJECT=1` trusts it unseen, as CI may; not when an agent says so in its own shell. A run hands its agents
 * the digest of the file as it began in its place: what is there then is trusted, and nothing that they make of it.
 *
 * @throws {CliffordError} `TRUST_UNREADABLE`
 */
export async function trustOf(root: string, reading: McpConfigReading, env: Env): Promise<TrustState> {
  if (reading.digests.servers.size === 0 && !mayAllowAgents(reading))
    return { is: 'trusted', by: 'nothing to run' };
  if (isTrustedByEnvironment(root, reading, env)) return { is: 'trusted', by: 'environment' };
  const trusted = await readTrust(env, await realpath(root));
  if (!trusted) return { is: 'new' };
  const changes = changesSince(trusted, reading);
  return changes.length === 0 ? { is: 'trusted', by: 'record' } : { is: 'changed', changes };
}

/** The variable that trusts a project unseen: `1`, or the digest of the one `mcp.json` that is meant. */
export const TRUST_VARIABLE = 'CLIFFORD_TRUST_PROJECT';

/** Whether whoever started this process trusts the file unseen. */
export function isTrustedByEnvironment(
  root: string,
  { digest }: Pick<McpConfigReading, 'digest'>,
  env: Env,
): boolean {
  const word = humansVariable(env, TRUST_VARIABLE, join(root, STATE_DIR));
  return word === '1' || word === digest;
}

/**
 * Remembers that a person trusts what they were shown: the reading, not what stands in the file by now. In the
 * user's state folder, outside the project; digests only, no value.
 *
 * @throws {CliffordError} `TRUST_UNREADABLE`, `TRUST_UNWRITABLE`
 */
export async function recordTrust(root: string, { digests }: McpConfigReading, env: Env): Promise<void> {
  const { servers, policy } = digests;
  const project = { servers: Object.fromEntries(servers), policy, at: new Date().toISOString() };
  await writeTrust(env, await realpath(root), project);
}

function mayAllowAgents({ policy }: McpConfigReading): boolean {
  return !('unreadable' in policy) && allowsAgents(policy.agents);
}

/** Whether it lets agents do something with their own tools that they may not do without it. */
export function allowsAgents({ ask, rules, unasked }: AgentPolicy): boolean {
  return ask === 'nothing' || unasked === 'record' || rules.some(({ decision }) => decision === 'allow');
}

/** A server that is gone changes nothing: there is less to run. */
function changesSince(trusted: TrustedProject, { digests }: McpConfigReading): string[] {
  const servers = [...digests.servers].flatMap(([id, digest]) => {
    const before = Object.hasOwn(trusted.servers, id) ? trusted.servers[id] : undefined;
    if (before === digest) return [];
    return [before === undefined ? `${id} is new` : `${id} has changed`];
  });
  return digests.policy === trusted.policy ? servers : [...servers, 'the policy has changed'];
}
