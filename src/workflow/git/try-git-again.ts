import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../lib/time/backoff.ts';
import { isInterrupted } from './uncommitted.ts';

/** So often what a killed git has left undone is tried again, and after which pauses: a machine short of memory needs a moment. */
const TRIES = 3;
const PAUSE = { firstMs: 200, longestMs: 1_000 };

/**
 * Does work that is safe to be done again, again where git was killed in it: a few times.
 *
 * @throws the signal's reason when it aborts; what `work` throws, where that is something else, or happens every time.
 */
export async function tryGitAgain<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (tries === TRIES || !isInterrupted(error)) throw error;
    }
    await pause(backoffMs(PAUSE, tries), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
