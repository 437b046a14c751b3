import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatcher } from '../../../src/tui/screen/batcher.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createBatcher', () => {
  it('runs at once, then at most once per interval', () => {
    const run = vi.fn<() => void>();
    const batcher = createBatcher(run, 100);
    for (let ms = 0; ms < 1_000; ms += 1) {
      batcher.request();
      vi.advanceTimersByTime(1);
    }
    expect(run).toHaveBeenCalledTimes(11);
  });

  it('does nothing while nobody asks, and runs the last request', () => {
    const run = vi.fn<() => void>();
    const batcher = createBatcher(run, 100);
    batcher.request();
    batcher.request();
    vi.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('flushes what waits, and drops it when it is stopped', () => {
    const run = vi.fn<() => void>();
    const batcher = createBatcher(run, 100);
    batcher.request();
    batcher.request();
    batcher.flush();
    batcher.flush();
    expect(run).toHaveBeenCalledTimes(2);
    batcher.request();
    batcher.stop();
    vi.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledTimes(2);
  });
});
