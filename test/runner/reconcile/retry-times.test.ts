import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { retryTimes } from '../../../src/runner/reconcile/retry-times.ts';
import { History, on } from '../../helpers/history.ts';

const begun = [
  on('demo', 'sprint.created'),
  on('demo', 'sprint.started'),
  on('demo/a', 'task.started'),
  on('demo/a', 'agent.started', { agent: 'claude' }),
];
const retried = [...begun, on('demo/a', 'agent.exited'), on('demo/a', 'task.retried', { delayMs: 60_000 })];
const refused = [
  ...begun,
  on('demo/a', 'agent.limited', { runId: 'run-1' }),
  on('demo/a', 'agent.exited', { reason: 'limited' }),
];

/** How long a runner that sees this history for the first time waits for task a, in ms, so long after its end. */
function waitAfter(past: readonly Candidate[], sinceMs: number, { isDisregarded = false } = {}) {
  const history = new History(...past);
  const sprint = history.sprint();
  const { limits } = history.state;
  const now = Date.parse(sprint.lastEventAt ?? '') + sinceMs;
  const disregarded = isDisregarded ? limits : [];
  const at = retryTimes(sprint, { limits, disregarded, retryDelayMs: 1_000, now }).get('a');
  return at === undefined ? 0 : at - now;
}

describe('the delay before the next attempt', () => {
  it('is what is left of it, whichever runner began it', () => {
    expect(waitAfter(retried, 0)).toBe(60_000);
    expect(waitAfter(retried, 59_000)).toBe(1_000);
    expect(waitAfter(retried, 60_000)).toBe(0);
  });

  it('is over when the next attempt began, or the task was reset', () => {
    expect(waitAfter([...retried, on('demo/a', 'task.started', { runId: 'run-2', attempt: 2 })], 0)).toBe(0);
    expect(waitAfter([...retried, on('demo/a', 'task.skipped'), on('demo/a', 'task.reset')], 0)).toBe(0);
  });

  it('does not last until a clock that was set back is there again', () => {
    expect(waitAfter(retried, -1)).toBe(0);
  });

  it('of an agent that was refused more is as long, unless its limit is not to be waited for', () => {
    expect(waitAfter(refused, 0)).toBe(1_000);
    expect(waitAfter(refused, 1_000)).toBe(0);
    expect(waitAfter(refused, 0, { isDisregarded: true })).toBe(0);
  });
});
