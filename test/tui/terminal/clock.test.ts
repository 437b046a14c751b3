import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { askedSeldom, createClock } from '../../../src/tui/terminal/clock.ts';

const second = 1_000;

describe('createClock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ticks once a second for all that listen, and not at all for nobody', () => {
    const clock = createClock();
    const listeners = [vi.fn<() => void>(), vi.fn<() => void>()];
    const leave = listeners.map((listener) => clock.subscribe(listener));
    vi.advanceTimersByTime(3 * second);
    expect(vi.getTimerCount()).toBe(1);
    leave.forEach((unsubscribe) => unsubscribe());
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(3 * second);
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(3);
  });

  it('moves on by ten seconds at a time where nothing is to move', () => {
    vi.setSystemTime(1_234_567);
    expect(createClock({ isStill: true }).now()).toBe(1_230_000);
    expect(createClock().now()).toBe(1_234_567);
  });
});

it('who draws asks no more than once a second for a version whether there is a runner', () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  let [asked, version] = [0, 1];
  const hasRunner = askedSeldom(
    () => {
      asked += 1;
      return asked > 1;
    },
    () => version,
  );
  expect([hasRunner(), hasRunner(), asked]).toEqual([false, false, 1]);
  version = 2;
  expect([hasRunner(), hasRunner(), asked]).toEqual([true, true, 2]);
  vi.advanceTimersByTime(second);
  expect([hasRunner(), hasRunner(), asked]).toEqual([true, true, 3]);
});
