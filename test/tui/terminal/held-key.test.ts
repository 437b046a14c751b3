import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeldKey } from '../../../src/tui/terminal/held-key.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const enter = [{ key: 'enter' }] as const;

it('a key that comes alone is sent when nothing has come behind it for 20 ms, and once', () => {
  const held = new HeldKey();
  const send = vi.fn<() => void>();
  held.hold(enter, send);
  vi.advanceTimersByTime(19);
  expect(send).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(send).toHaveBeenCalledTimes(1);
  expect(held.take()).toEqual([]);
});

it('a key that something comes behind is handed over with that, and not sent by itself', () => {
  const held = new HeldKey();
  const send = vi.fn<() => void>();
  held.hold(enter, send);
  vi.advanceTimersByTime(10);
  expect(held.take()).toEqual(enter);
  expect(held.take()).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(send).not.toHaveBeenCalled();
});
