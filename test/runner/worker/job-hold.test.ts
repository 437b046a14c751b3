import { expect, it, onTestFinished, vi } from 'vitest';
import type { HeldJob } from '../../../src/events/queue/job-queue.ts';
import { JobHold } from '../../../src/runner/worker/job-hold.ts';

/** Holds a job whose queue answers at once, or after a while in ms. */
function held(deadlineMs: number, answersAfterMs = 0) {
  const extend = vi.fn<HeldJob['extend']>(
    () => new Promise((resolve) => void setTimeout(() => resolve('held'), answersAfterMs)),
  );
  const hold = new JobHold(
    {
      sprint: 'one',
      needs: [],
      lane: 'next',
      by: 'ann',
      at: '2026-01-01T00:00:00Z',
      deadlineMs,
      extend,
      finish: () => Promise.resolve(),
      giveBack: () => Promise.resolve(),
    },
    (problem) => expect.fail(problem),
  );
  onTestFinished(() => hold.end());
  return { hold, extend };
}

it('says at once that the worker of a job lives, and not only after a part of the deadline', async () => {
  const { hold, extend } = held(3_600_000);
  await vi.waitFor(() => expect(extend).toHaveBeenCalledOnce());
  expect(hold.gone.aborted).toBe(false);
});

it('says so again after a third of the deadline, however long the queue takes to answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { extend } = held(30_000, 9_000);
  await vi.advanceTimersByTimeAsync(20_001);
  expect(extend).toHaveBeenCalledTimes(3);
});
