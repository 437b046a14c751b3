import { expect, it, onTestFinished, vi } from 'vitest';
import { CliffordError } from '../../../src/errors.ts';
import type { HeldJob } from '../../../src/events/queue/job-queue.ts';
import { JobHold } from '../../../src/runner/worker/job-hold.ts';

/** Holds a job whose queue answers at once, or after a while in ms, or so. */
function held(
  deadlineMs: number,
  answersAfterMs = 0,
  {
    answer = () => new Promise((resolve) => void setTimeout(() => resolve('held'), answersAfterMs)),
    report = (problem) => expect.fail(problem),
  }: { answer?: HeldJob['extend']; report?: (problem: string) => void } = {},
) {
  const extend = vi.fn<HeldJob['extend']>(answer);
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
    report,
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

it('says so every second while the queue is away, which is told once, and as seldom as before when it is back', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isAway = true;
  const away = new CliffordError('Cannot reach it', { code: 'QUEUE_AWAY', fix: 'Wait', recovery: 'retry' });
  const report = vi.fn<(problem: string) => void>();
  const answer = () => (isAway ? Promise.reject(away) : Promise.resolve('held' as const));
  const { extend } = held(3_600_000, 0, { answer, report });
  await vi.advanceTimersByTimeAsync(5_001);
  expect(extend).toHaveBeenCalledTimes(6);
  isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(extend).toHaveBeenCalledTimes(7);
  expect(report.mock.calls).toEqual([[away.inOneLine]]);
});
