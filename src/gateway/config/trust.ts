import { realpath } from 'node:fs/promises';
import { humansVariable } from '../../workflow/project/who-calls.ts';
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
 * `CLIFFORD_TRUST_PROJECT=1` trusts it unseen, as CI may; not when an agent says so in its own shell.
 *
 * @throws {CliffordError} `TRUST_UNREADABLE`
 */
export async function trustOf(root: string, reading: McpConfigReading, env: Env): Promise<TrustState> {
  if (reading.digests.servers.size === 0) return { is: 'trusted', by: 'nothing to run' };
  if (humansVariable(env, 'CLIFFORD_TRUST_PROJECT') === '1') return { is: 'trusted', by: 'environment' };
  const trusted = await readTrust(env, await realpath(root));
  if (!trusted) return { is: 'new' };
  const changes = changesSince(trusted, reading);
  return changes.length === 0 ? { is: 'trusted', by: 'record' } : { is: 'changed', changes };
}

/**
 * {@link trustOf} as yes or no.
 *
 * @internal for tests
 */
export async function isTrusted(root: string, reading: McpConfigReading, env: Env): Promise<boolean> {
  return (await trustOf(root, reading, env)).is === 'trusted';
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

/** A server that is gone changes nothing: there is less to run. */
function changesSince(trusted: TrustedProject, { digests }: McpConfigReading): string[] {
  const servers = [...digests.servers].flatMap(([id, digest]) => {
    const before = Object.hasOwn(trusted.servers, id) ? trusted.servers[id] : undefined;
    if (before === digest) return [];
    return [before === undefined ? `${id} is new` : `${id} has changed`];
  });
  return digests.policy === trusted.policy ? servers : [...servers, 'the policy has changed'];
}
