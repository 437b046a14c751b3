import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AutoResetEvent } from '../../../src/lib/time/auto-reset-event.ts';

/** Whether a wait is over, once all that was due has been done. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => (over = true));
  await vi.advanceTimersByTimeAsync(0);
  return over;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it('each wait takes what was set before or during it, and leaves nothing for the next', async () => {
  const event = new AutoResetEvent();
  event.set();
  event.set();
  expect(await isOver(event.wait())).toBe(true);
  const next = event.wait();
  expect(await isOver(next)).toBe(false);
  event.set();
  expect(await isOver(next)).toBe(true);
  expect(await isOver(event.wait())).toBe(false);
});

it('is set at the earliest of the times it was told, once, and not after it was cleared', async () => {
  const event = new AutoResetEvent();
  for (const ms of [300, 200, 250]) event.setIn(ms);
  const wait = event.wait();
  vi.advanceTimersByTime(199);
  expect(await isOver(wait)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await isOver(wait)).toBe(true);
  const next = event.wait();
  vi.advanceTimersByTime(1_000);
  expect(await isOver(next)).toBe(false);
  event.setIn(100);
  event.clear();
  vi.advanceTimersByTime(1_000);
  expect(await isOver(next)).toBe(false);
});
