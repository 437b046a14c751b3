import type { McpServerCommand } from '../agent-adapter.ts';
import { BELOW_LIMIT, CALL_LIMIT_MS, START_LIMIT_MS } from '../raised-limits.ts';

/** A value of Codex' configuration. */
export type Value = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** What Codex' configuration says of Clifford's MCP server. */
export function codexServer({ command, args, env }: McpServerCommand): Record<string, Value> {
  return {
    command,
    args,
    // By name: anybody on this machine can read the arguments of a process.
    env_vars: Object.keys(env),
    // Even when it is empty: it takes the place of one in the user's own configuration.
    env: 'CLIFFORD_WAIT_LIMIT_MS' in env ? {} : BELOW_LIMIT,
    tool_timeout_sec: CALL_LIMIT_MS / 1_000,
    startup_timeout_sec: START_LIMIT_MS / 1_000,
    // Else it cancels the calls of a tool that changes something.
    default_tools_approval_mode: 'approve',
    // Else the first turn may begin without the tools.
    required: true,
  };
}
