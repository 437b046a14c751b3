import { join } from 'node:path';
import { loadMcpConfig } from '../../gateway/config/load-mcp-config.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import type { McpServerConfig } from '../../gateway/config/server-config.ts';
import { trustOf, type TrustState } from '../../gateway/config/trust.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { clauseOf, fixOf } from './mistakes.ts';
import { noSuchServer, notTrusted, unusableServer } from './mcp-errors.ts';

/** The `mcp.json` of the project a command was typed in, and whether it is trusted. */
export type McpPlace = {
  /** Absolute. */
  readonly root: string;
  /** The project's `.clifford`, which may not be there yet. */
  readonly stateDir: string;
  readonly reading: McpConfigReading;
  readonly trust: TrustState;
};

export async function findMcpPlace({ env, cwd }: Pick<Cli, 'env' | 'cwd'>): Promise<McpPlace> {
  const root = findProjectRoot({ env, cwd });
  const reading = await loadMcpConfig({ root, env });
  return { root, stateDir: join(root, STATE_DIR), reading, trust: await trustOf(root, reading, env) };
}

/**
 * The server of this name, when it may be started.
 *
 * @throws {CliffordError} `MCP_SERVER_UNKNOWN`, `MCP_SERVER_UNUSABLE`, `MCP_UNTRUSTED`
 */
export function startableServer({ reading, trust }: McpPlace, id: string): McpServerConfig {
  const config = knownServer(reading, id);
  if (config.disabled)
    throw unusableServer(id, 'it is disabled in mcp.json', 'Remove "disabled" from its entry');
  if (trust.is !== 'trusted') throw notTrusted(reading.file, trust);
  return config;
}

/**
 * The server of this name, started or not.
 *
 * @throws {CliffordError} `MCP_SERVER_UNKNOWN`, `MCP_SERVER_UNUSABLE` when its entry has a mistake.
 */
export function knownServer(reading: McpConfigReading, id: string): McpServerConfig {
  const { servers, problems } = reading;
  const config = servers.find((each) => each.id === id);
  if (config) return config;
  const problem =
    problems.find(({ serverId }) => serverId === id) ?? problems.find(({ serverId }) => !serverId);
  if (problem) throw unusableServer(id, clauseOf(problem), fixOf(problem));
  throw noSuchServer(id, reading);
}
