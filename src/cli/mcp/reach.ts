import { CliffordError } from '../../errors.ts';
import type { McpServerConfig } from '../../gateway/config/server-config.ts';
import type { DownstreamTool } from '../../gateway/server/downstream-tool.ts';
import type { McpManager } from '../../gateway/server/mcp-manager.ts';
import type { ServerState } from '../../gateway/server/server-state.ts';
import { within } from '../../lib/processes/settled-within.ts';
import { duration } from '../../lib/time/duration.ts';

/** Longest time a command waits for a server of several, in ms. A server's own `startTimeout` may be shorter. */
const REACH_LIMIT_MS = 20_000;

/** A server that was started or reached, or why it was not. */
export type Reached = {
  readonly isReady: boolean;
  readonly tools: readonly DownstreamTool[];
  readonly server?: ServerState['server'];
  /** Why it is not ready, or what it does wrong although it is, in one line. */
  readonly problem?: string | undefined;
  readonly tookMs: number;
};

/** Starts or reaches a server within `limitMs`. Never throws for what the server does. */
export async function reach(
  manager: McpManager,
  config: McpServerConfig,
  limitMs: number = REACH_LIMIT_MS,
): Promise<Reached> {
  const { id } = config;
  const startedAt = performance.now();
  const connecting = failureOf(manager.connect(config));
  const isInTime = await within(limitMs, [connecting]);
  const tookMs = Math.round(performance.now() - startedAt);
  if (!isInTime)
    return { isReady: false, tools: [], problem: `it is not ready after ${duration(limitMs)}`, tookMs };
  const failure = await connecting;
  const { server, problem } = manager.states().find((state) => state.id === id) ?? {};
  const said = problem ?? failure?.message;
  return {
    isReady: failure === undefined,
    tools: manager.getTools(id),
    server,
    ...(said === undefined
      ? {}
      : { problem: said.replace(`Cannot reach the MCP server ${config.id}: `, '') }),
    tookMs,
  };
}

async function failureOf(work: Promise<void>): Promise<CliffordError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof CliffordError) return error;
    throw error;
  }
}
