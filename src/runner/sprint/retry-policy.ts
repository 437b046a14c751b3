import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import { backoffMs } from '../../lib/time/backoff.ts';

/** Before a new try. */
const PAUSE = { firstMs: 100, longestMs: 5_000 };

/** How long the same trouble may last, in ms, and how long once the run was told to stop. */
const TROUBLE_MS = 300_000;
const TROUBLE_AT_STOP_MS = 10_000;

/** What is to be done about an error. `isNews`: it is the first of its trouble. */
export type RetryPause = { readonly pauseMs: number; readonly isNews: boolean };

/**
 * How long a run puts up with errors that a new try may mend, e.g. because somebody sits on the lock of the
 * log: with pauses that become longer, until something succeeds or it has lasted too long.
 */
export class RetryPolicy {
  #since: number | undefined;
  #tries = 0;

  /** Something was done: the next error is another trouble. */
  noteSuccess(): void {
    this.#since = undefined;
    this.#tries = 0;
  }

  /**
   * What to do about an error. `undefined`: let it end the run.
   *
   * @param now - ms, of a clock that only goes forward.
   * @param triedAt - When that was begun which failed: it may have waited for long.
   * @param stoppedAt - When the run was told to stop.
   */
  pauseAfter(
    error: unknown,
    {
      now,
      triedAt,
      stoppedAt,
    }: { readonly now: number; readonly triedAt: number; readonly stoppedAt: number | undefined },
  ): RetryPause | undefined {
    if (!mayBeTriedAgain(error)) return undefined;
    const isNews = this.#since === undefined;
    this.#since ??= triedAt;
    const hasLasted = now - this.#since >= TROUBLE_MS;
    const atStopSince = Math.max(this.#since, stoppedAt ?? now);
    if (hasLasted || now - atStopSince >= TROUBLE_AT_STOP_MS) return undefined;
    const pauseMs = backoffMs(PAUSE, this.#tries);
    this.#tries += 1;
    return { pauseMs, isNews };
  }
}
