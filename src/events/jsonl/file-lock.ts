import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock, unlock } from 'fs-native-extensions';
import { logBusy } from './log-errors.ts';

/** How long to wait for the lock in all, in ms, by default. A live holder has it for about 0.1 ms. */
export const LOCK_WAIT_MS = 5_000;

/** How long the event loop may stand still for the lock at a time, in ms. */
const SPIN_MS = 4;
/** Tries in a row before the first pause: about as long as a holder on the other core needs. */
const BUSY_TRIES = 10;
/** Pause between two tries while spinning, in ms. The kernel's timer slack adds about 0.05. */
const SPIN_PAUSE_MS = 0.02;
/** Spins before the event loop gets nearly all of the time. */
const SPIN_ROUNDS = 8;
/** Pause between two spins, in ms; the event loop runs meanwhile. */
const RETRY_MS = 2;

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Runs `work` while this descriptor holds the exclusive kernel lock on its whole file.
 *
 * `work` is synchronous, so that no lock outlives a turn of the event loop.
 *
 * @throws {CliffordError} `LOG_BUSY` after `waitMs` without the lock.
 */
export async function underLock<T>(
  fd: number,
  { file, waitMs }: { file: string; waitMs: number },
  work: () => T,
): Promise<T> {
  const start = performance.now();
  // A holder that is not done after some spins is stopped: from then on only ask now and then.
  for (let round = 0; !(round < SPIN_ROUNDS ? spinForLock(fd) : tryLock(fd)); round += 1) {
    const waitedMs = performance.now() - start;
    if (waitedMs >= waitMs) throw logBusy(file, waitedMs);
    await sleep(Math.min(RETRY_MS, waitMs - waitedMs));
  }
  try {
    return work();
  } finally {
    unlock(fd);
  }
}

/**
 * A kernel wait (`fcntl` with a wait) wakes sooner, but nothing can end it: a holder stopped by Ctrl-Z
 * would stop this process too. So this asks again and again, for a bounded time.
 */
function spinForLock(fd: number): boolean {
  for (let tries = 0; tries < BUSY_TRIES; tries += 1) if (tryLock(fd)) return true;
  const end = performance.now() + SPIN_MS;
  do {
    Atomics.wait(pause, 0, 0, SPIN_PAUSE_MS);
    if (tryLock(fd)) return true;
  } while (performance.now() < end);
  return false;
}
