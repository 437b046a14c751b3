import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClock } from '../../../src/tui/screen/clock.ts';
import { durationText } from '../../../src/lib/time/short-duration.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe('durationText', () => {
  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [59 * second, '59 s'],
    [minute, '1 min'],
    [59 * minute + 59 * second, '59 min'],
    [2 * hour, '2 h'],
    [2 * hour + 5 * minute, '2 h 5 min'],
    [50 * hour, '2 d'],
  ])('%i ms is %j', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

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
});
