import { killGroup } from './kill-group.ts';
import { spanText } from '../time/duration.ts';
import { startGroup, type GroupOrder } from './start-group.ts';

/** A program to be run to its end, with whatever it starts. */
export type GroupStart = Omit<GroupOrder, 'env' | 'keepsStdin'> & {
  /** Added to the environment of this process; `undefined` takes a variable away. */
  readonly env?: GroupOrder['env'] | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
};

/** How a program ended. */
export type GroupEnd = {
  /** `null` when a signal or the time limit ended it, or when it could not be started. */
  readonly code: number | null;
  /** The time limit ended it. */
  readonly isLate: boolean;
  /** The signal by which somebody else ended it. */
  readonly killedBy?: string;
  /** In words: `ended with exit code 1`. */
  readonly how: string;
  readonly durationMs: number;
};

/** Between SIGTERM and SIGKILL, in ms: less than an MCP server has left when its client is gone. */
const KILL_GRACE_MS = 400;

/** How long the output may stay open once the program has ended, in ms: a process that left the group has it. */
const DRAIN_MS = 500;

/**
 * Runs a program without a shell, in a process group of its own. Nothing of the group is left when it
 * returns: neither after the time limit, nor when the signal aborts, nor in the background.
 */
export async function runGroup({ signal, limitMs, env, ...order }: GroupStart): Promise<GroupEnd> {
  const group = await startGroup({ ...order, env: { ...process.env, ...env } });
  if ('problem' in group)
    return { code: null, isLate: false, how: `could not be started: ${group.problem}`, durationMs: 0 };
  const limit = AbortSignal.timeout(limitMs);
  const stop = AbortSignal.any([signal, limit]);
  let killing: Promise<void> | undefined;
  const kill = () => {
    killing ??= killGroup(group.pid, KILL_GRACE_MS);
  };
  if (stop.aborted) kill();
  stop.addEventListener('abort', kill, { once: true });
  const exit = await group.exited;
  const isLate = limit.aborted;
  stop.removeEventListener('abort', kill);
  kill();
  await killing;
  await group.drain(DRAIN_MS);
  const { durationMs } = exit;
  if (isLate) return { code: null, isLate, how: `was ended after ${spanText(limitMs)}`, durationMs };
  const { code, signal: killedBy } = exit;
  if (killedBy !== null) return { code, isLate, killedBy, how: `was ended by ${killedBy}`, durationMs };
  return { code, isLate, how: `ended with exit code ${code}`, durationMs };
}
