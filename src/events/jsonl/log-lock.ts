import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock, unlock } from 'fs-native-extensions';
import { logBusy } from './log-errors.ts';

/** How long to wait for the lock in all, in ms, by default. A live holder has it for about 0.1 ms. */
export const LOCK_WAIT_MS = 5_000;

/** Pause between two tries, in ms; the event loop runs meanwhile. */
const RETRY_MS = 1;
/** The same once the holder has proved to be no live one: it is asked for only now and then. */
const SLOW_RETRY_MS = 10;
const SLOW_AFTER_MS = 100;

/**
 * Runs `work` while this descriptor holds the exclusive kernel lock on its whole file.
 *
 * `work` is synchronous, so that no lock outlives a turn of the event loop. A kernel wait (`fcntl` with
 * a wait) would wake a little sooner, but nothing can end it: a holder stopped by Ctrl-Z would stop
 * this process too. Spinning costs the holder the processor it needs to be done. So this asks again
 * after a pause, for a bounded time.
 *
 * @throws {CliffordError} `LOG_BUSY` after `waitMs` without the lock.
 */
export async function underLock<T>(
  fd: number,
  { file, waitMs }: { file: string; waitMs: number },
  work: () => T,
): Promise<T> {
  // The second try catches a holder on the other core that was about to be done.
  if (!tryLock(fd) && !tryLock(fd)) await waitForLock(fd, file, waitMs);
  try {
    return work();
  } finally {
    unlock(fd);
  }
}

async function waitForLock(fd: number, file: string, waitMs: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    const waitedMs = performance.now() - start;
    if (waitedMs >= waitMs) throw logBusy(file, waitedMs);
    const pauseMs = waitedMs < SLOW_AFTER_MS ? RETRY_MS : SLOW_RETRY_MS;
    await sleep(Math.min(pauseMs, waitMs - waitedMs));
    if (tryLock(fd)) return;
  }
}
