import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock, unlock, waitForLockSync } from 'fs-native-extensions';
import { logBusy } from './log-errors.ts';

/** How long to wait for the lock in all, in ms, by default. A live holder has it for about 0.1 ms. */
export const LOCK_WAIT_MS = 5_000;

/** How long the event loop may stand still for the lock at a time, in ms. */
const SPIN_MS = 4;
/** Pause between two tries while spinning, in ms. The kernel's timer slack adds about 0.05. */
const SPIN_PAUSE_MS = 0.02;
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
  while (!spinForLock(fd)) {
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

const V = process.env['LOCKV'] ?? 'wait';
const [KIND, A = '0', B = '0'] = V.split(',');
export const stats = { first: 0, spun: 0, failed: 0, tries: 0 };
if (process.env['LOCKSTATS']) process.on('exit', () => console.log(V, JSON.stringify(stats)));
function spinForLock(fd: number): boolean {
  if (KIND === 'wait') { waitForLockSync(fd); return true; }
  if (tryLock(fd)) { stats.first += 1; return true; }
  const end = performance.now() + SPIN_MS;
  if (KIND === 'busy') {
    // A busy tries, then sleeps of B ms
    for (let n = 0; n < Number(A); n += 1) { stats.tries += 1; if (tryLock(fd)) { stats.spun += 1; return true; } }
  }
  do {
    Atomics.wait(pause, 0, 0, Number(B));
    stats.tries += 1;
    if (tryLock(fd)) { stats.spun += 1; return true; }
  } while (performance.now() < end);
  stats.failed += 1;
  return false;
}
