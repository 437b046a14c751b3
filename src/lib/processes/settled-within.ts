import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for all of `work`, failed or not, but `ms` at most. Returns whether it was in time. */
export async function within(ms: number, work: Iterable<Promise<unknown>>): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const done = Promise.allSettled(work).then(() => true);
  try {
    return await Promise.race([done, late]);
  } finally {
    timer.abort();
  }
}
