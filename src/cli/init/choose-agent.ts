import { CliffordError } from '../../errors.ts';
import type { KnownAgent } from '../../runner/agents/agent-adapter.ts';
import { knownAgents } from '../../runner/agents/known-agents.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { adapterNames, type AdapterName } from '../../workflow/config/adapter-names.ts';
import { type McpClient, mcpClients } from './mcp-entries.ts';
import { documentation } from '../../package-file.ts';

/** The agents on the `PATH` that Clifford knows, in the order it prefers them. */
export function findInstalled(cwd: string, path: string | undefined): KnownAgent[] {
  return adapterNames
    .map((name) => knownAgents[name])
    .filter(({ bin }) => findExecutable(bin, { cwd, path }) !== undefined);
}

/**
 * The agent that `--agent` names.
 *
 * @throws {CliffordError} `AGENT_UNKNOWN`.
 */
export function agentNamed(name: string): AdapterName {
  const known = adapterNames.find((each) => each === name);
  if (known !== undefined) return known;
  throw unknown('--agent', name, adapterNames);
}

/**
 * The program that `--mcp` names.
 *
 * @throws {CliffordError} `AGENT_UNKNOWN`.
 */
export function mcpClientNamed(name: string): McpClient {
  const known = mcpClients.find((each) => each === name);
  if (known !== undefined) return known;
  throw unknown('--mcp', name, mcpClients);
}

function unknown(option: string, name: string, known: readonly string[]): CliffordError {
  return new CliffordError(`Cannot use ${option} ${name}: known are ${known.join(', ')}`, {
    code: 'AGENT_UNKNOWN',
    fix: `Name one of them; any other agent goes into "agents" of clifford.json, see ${documentation('configuration')}`,
    recovery: 'fix-input',
  });
}
