import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Throttle } from '../../../src/lib/time/throttle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function throttled() {
  const passed: number[] = [];
  return { passed, throttle: new Throttle<number>(100, (value) => passed.push(value)) };
}

it('passes the first at once, then at most one per interval', () => {
  const { passed, throttle } = throttled();
  for (let ms = 0; ms < 1_000; ms += 1) {
    throttle.push(ms);
    vi.advanceTimersByTime(1);
  }
  expect(passed).toHaveLength(11);
});

it('asks anew how long to wait, each time that it passes one', () => {
  const passed: number[] = [];
  const throttle = new Throttle<number>(
    () => (passed.length < 2 ? 100 : 500),
    (value) => passed.push(value),
  );
  for (let ms = 0; ms < 1_000; ms += 1) {
    throttle.push(ms);
    vi.advanceTimersByTime(1);
  }
  expect(passed).toEqual([0, 99, 199, 699]);
});

it('passes the last that came, and has no timer while nothing comes', () => {
  const { passed, throttle } = throttled();
  for (const value of [1, 2, 3]) throttle.push(value);
  vi.advanceTimersByTime(1_000);
  expect(passed).toEqual([1, 3]);
  expect(vi.getTimerCount()).toBe(0);
});

it('passes what waits when it is flushed, once', () => {
  const { passed, throttle } = throttled();
  throttle.push(1);
  throttle.push(2);
  throttle.flush();
  throttle.flush();
  expect(passed).toEqual([1, 2]);
});

it('passes nothing once it is over: with what waits when it ends, without when it is dropped', () => {
  const ended = throttled();
  const dropped = throttled();
  for (const { throttle } of [ended, dropped]) for (const value of [1, 2]) throttle.push(value);
  ended.throttle.end();
  dropped.throttle.drop();
  expect(vi.getTimerCount()).toBe(0);
  for (const { throttle } of [ended, dropped]) throttle.push(3);
  expect(ended.passed).toEqual([1, 2]);
  expect(dropped.passed).toEqual([1]);
});
