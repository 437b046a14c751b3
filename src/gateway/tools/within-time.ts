import { createContext, Script } from 'node:vm';

/** What {@link withinTime} says of work that was not done in time. */
export const OUT_OF_TIME: unique symbol = Symbol('out of time');

/**
 * One realm for all: it has nothing but the door, costs 1 ms to make, and the work in it is taken back in the same
 * turn of the event loop.
 */
const holder: { work: (() => unknown) | undefined } = { work: undefined };
const caller = new Script('work()');
let context: ReturnType<typeof createContext> | undefined;

/** So often work is begun anew that was ended while the machine did something else. */
const MAX_TRIES = 10;

/**
 * Does synchronous work that others have a hand in, such as a regular expression on a text of an agent, and ends
 * it after `limitMs` of the time that this process computes. V8 knows wall-clock time only: work that was ended before
 * it had its share, on a busy machine, is begun anew. That costs 0.1 ms. Ended work leaves its own objects half done.
 */
export function withinTime<Result>(limitMs: number, work: () => Result): Result | typeof OUT_OF_TIME {
  for (let tries = 1; ; tries++) {
    const before = process.cpuUsage();
    const result = endedAfter(limitMs, work);
    if (result !== OUT_OF_TIME || tries === MAX_TRIES) return result;
    const { user, system } = process.cpuUsage(before);
    if (user + system >= (limitMs * 1_000) / 2) return OUT_OF_TIME;
  }
}

function endedAfter<Result>(limitMs: number, work: () => Result): Result | typeof OUT_OF_TIME {
  // V8 can end work only where it entered it: the script is no more than that door.
  context ??= createContext(holder);
  const outer = holder.work;
  holder.work = work;
  try {
    return caller.runInContext(context, { timeout: limitMs }) as Result;
  } catch (error) {
    if (isTimeOut(error)) return OUT_OF_TIME;
    throw error;
  } finally {
    holder.work = outer;
  }
}

/** It is an `Error` of the script's own realm, not of ours. */
function isTimeOut(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
