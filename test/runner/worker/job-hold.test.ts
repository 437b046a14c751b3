import { expect, it, vi } from 'vitest';
import { JobHold } from '../../../src/runner/worker/job-hold.ts';

it('says at once that the worker of a job lives, and not only after a part of the deadline', async () => {
  let said = 0;
  const hold = new JobHold(
    {
      sprint: 'one',
      needs: [],
      lane: 'next',
      by: 'ann',
      at: '2026-01-01T00:00:00Z',
      deadlineMs: 3_600_000,
      extend: () => Promise.resolve('held').finally(() => (said += 1)) as Promise<'held'>,
      finish: () => Promise.resolve(),
      giveBack: () => Promise.resolve(),
    },
    (problem) => expect.fail(problem),
  );
  await vi.waitFor(() => expect(said).toBe(1));
  expect(hold.gone.aborted).toBe(false);
  hold.end();
});
