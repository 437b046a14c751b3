import { McpManager } from '../../gateway/server/mcp-manager.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import type { McpPlace } from './mcp-place.ts';

/** Servers for the time of one command. */
export type Servers = {
  readonly manager: McpManager;
  /** Aborts at Ctrl-C. The servers are ended then, and what waits for one fails. */
  readonly signal: AbortSignal;
};

/**
 * Runs `work` with servers, which have all ended when this returns, however it went: also at Ctrl-C, which makes the
 * command end with 130. Then the result is `undefined`, and whatever `work` threw does not matter any more.
 */
export async function withServers<T>(
  cli: Pick<Cli, 'env' | 'note' | 'endWith'>,
  { stateDir }: Pick<McpPlace, 'stateDir'>,
  work: (servers: Servers) => Promise<T>,
): Promise<T | undefined> {
  const manager = new McpManager({
    stateDir,
    env: cli.env,
    report: cli.note,
    // One that does not start is told of, not tried again: the next command is the next attempt.
    limits: { attempts: 1 },
  });
  const ending = new AbortController();
  const ignoreInterrupt = onInterrupt(() => {
    ending.abort();
    void manager.close();
  });
  try {
    const result = await work({ manager, signal: ending.signal });
    if (!ending.signal.aborted) return result;
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    await manager.close();
    ignoreInterrupt();
  }
  cli.endWith(exitCodes.interrupted);
  return undefined;
}
