import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, but not beyond the abort. Keeps no process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
