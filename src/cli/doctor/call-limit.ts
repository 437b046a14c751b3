import { z } from 'zod';
import type { Launch } from '../../runner/agents/agent-adapter.ts';
import { jsonValue } from '../../lib/json/json-value.ts';

const server = z.looseObject({ clifford: z.looseObject({ timeout: z.number() }) });
const configSchema = z.union([
  z.looseObject({ mcpServers: server }).transform(({ mcpServers }) => mcpServers.clifford.timeout),
  z.looseObject({ mcp: server }).transform(({ mcp }) => mcp.clifford.timeout),
]);

/**
 * How long a call may wait for a human in an agent that is started so, in ms. Each agent CLI is told in a way of
 * its own: in JSON, in a variable, or by a flag in seconds. `undefined`: nothing is said of it.
 */
export function callLimitMs({
  args,
  env,
  files = [],
}: Pick<Launch, 'args' | 'env' | 'files'>): number | undefined {
  const documents = [...Object.values(env), ...files.map(({ text }) => text), ...args];
  for (const text of documents) {
    // Most of what a program is started with is no JSON.
    const limit = configSchema.safeParse(jsonValue(text));
    if (limit.success) return limit.data;
    const [, seconds] = /^mcp_servers\.clifford\.tool_timeout_sec\s*=\s*(\d+)/.exec(text) ?? [];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  const variable = env['MCP_TOOL_TIMEOUT'];
  return variable === undefined ? undefined : Number(variable);
}
