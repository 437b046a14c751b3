import { setTimeout as sleep } from 'node:timers/promises';
import { nativeLocks } from '../../lib/files/native-locks.ts';
import { logBusy } from './log-errors.ts';
import { sizeOf } from './tail.ts';

/** How long to wait for the lock in all, in ms, by default. A live holder has it for about 0.1 ms. */
export const LOCK_WAIT_MS = 5_000;

/** Pause between two tries, in ms; the event loop runs meanwhile. */
const RETRY_MS = 1;
/** The same once the holder has proved to be no live one: it is asked for only now and then. */
const SLOW_RETRY_MS = 10;
const SLOW_AFTER_MS = 100;

/** While others were seen writing less than this ago, in ms, the lock is taken to be in lively hands. */
const LIVELY_MS = 20;

/**
 * The exclusive kernel lock on a whole log file, as the appends of one process take it.
 *
 * There are two ways to wait for it. The kernel's own wait queues and wakes at once, but nothing ends
 * it: a holder that somebody has stopped would stop this process too. Asking again after a pause is
 * bounded and leaves the event loop running, but costs a pause each time, and a crowd that asks takes
 * the processor the holder needs. So the kernel waits in a crowd, where others wrote a moment ago or
 * write meanwhile, and everybody else asks again. Why that is safe enough: docs/adr/010-waiting-for-the-log.md.
 */
export class LogLock {
  readonly #file: string;
  readonly #waitMs: number;
  #othersWroteAt = -Infinity;
  #wasInVain = false;

  constructor(file: string, waitMs: number) {
    this.#file = file;
    this.#waitMs = waitMs;
  }

  /** Notes, under the lock, that others wrote since this process last had it. */
  sawOthers(): void {
    this.#othersWroteAt = performance.now();
  }

  /** Notes that the last turn with the lock only found out that others were faster. */
  wasInVain(): void {
    this.#wasInVain = true;
  }

  /**
   * Runs `work` while `fd` holds the lock. `work` is synchronous, so that no lock outlives a turn of the
   * event loop.
   *
   * @throws {CliffordError} `LOG_BUSY` after the longest wait without the lock.
   */
  async hold<T>(fd: number, work: () => T): Promise<T> {
    // Who decides again knows the head: at the end of the queue it would be an old one again.
    const goesAhead = this.#wasInVain && nativeLocks().tryLock(fd);
    this.#wasInVain = false;
    if (goesAhead) return this.#have(fd, work);
    if (performance.now() - this.#othersWroteAt < LIVELY_MS) nativeLocks().waitForLockSync(fd);
    // The second try catches a holder on the other core that was about to be done.
    else if (!nativeLocks().tryLock(fd) && !nativeLocks().tryLock(fd)) await this.#askAgain(fd);
    return this.#have(fd, work);
  }

  #have<T>(fd: number, work: () => T): T {
    try {
      return work();
    } finally {
      nativeLocks().unlock(fd);
    }
  }

  async #askAgain(fd: number): Promise<void> {
    const start = performance.now();
    const size = sizeOf(fd);
    for (;;) {
      const waitedMs = performance.now() - start;
      if (waitedMs >= this.#waitMs) throw logBusy(this.#file, waitedMs);
      const pauseMs = waitedMs < SLOW_AFTER_MS ? RETRY_MS : SLOW_RETRY_MS;
      await sleep(Math.min(pauseMs, this.#waitMs - waitedMs));
      if (nativeLocks().tryLock(fd)) return;
      // A crowd after all: who only asks again would be the last of it each time.
      if (sizeOf(fd) !== size) return nativeLocks().waitForLockSync(fd);
    }
  }
}
