import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/machines/legality.ts';
import { limitedUntil, limitEnd } from '../../src/machines/usage-limit.ts';
import { History, on } from '../helpers/history.ts';

const runOf = (runId: string, attempt: number, agent: string) => [
  on('demo/a', 'task.started', { runId, attempt }),
  on('demo/a', 'agent.started', { runId, attempt, agent }),
];
const first = [on('demo', 'sprint.created'), on('demo', 'sprint.started'), ...runOf('run-1', 1, 'main')];
const limited = (runId = 'run-1') => on('demo/a', 'agent.limited', { runId });
const exited = (runId = 'run-1', reason?: 'limited') =>
  on('demo/a', 'agent.exited', { runId, ...(reason ? { reason } : {}) });
const opened = (runId: string, sessionId: string) =>
  on('demo/a', 'agent.sessionopened', { runId, sessionId });

function taskAfter(...past: readonly Candidate[]) {
  const task = new History(...first, ...past).sprint().tasks.get('a');
  if (!task) throw new Error('there is no task a');
  return task;
}
const limitsAfter = (...past: readonly Candidate[]) =>
  taskAfter(...past).limits.map(({ agent, times }) => [agent, times]);

describe('the usage limits of a task', () => {
  const again = runOf('run-2', 2, 'main');

  it('are kept while its agent was refused more, also when the run was lost', () => {
    expect(limitsAfter(limited(), exited('run-1', 'limited'))).toEqual([['main', 1]]);
    expect(limitsAfter(limited(), on('demo/a', 'agent.lost'))).toEqual([['main', 1]]);
  });

  it('count runs in a row, not how often a run says it', () => {
    expect(limitsAfter(limited(), limited(), exited('run-1', 'limited'), ...again, limited('run-2'))).toEqual(
      [['main', 2]],
    );
  });

  it('begin anew when a later run got more in between', () => {
    const got = on('demo/a', 'agent.usage', { runId: 'run-2' });
    const past = [limited(), exited('run-1', 'limited'), ...again, got];
    expect(limitsAfter(...past)).toEqual([]);
    expect(limitsAfter(...past, limited('run-2'))).toEqual([['main', 1]]);
  });

  it('stay when the run that was refused more says what it had used', () => {
    expect(limitsAfter(limited(), on('demo/a', 'agent.usage'))).toEqual([['main', 1]]);
  });

  it('are one for each agent', () => {
    const past = [limited(), exited('run-1', 'limited'), ...runOf('run-2', 2, 'other'), limited('run-2')];
    expect(limitsAfter(...past)).toEqual([
      ['main', 1],
      ['other', 1],
    ]);
    expect(limitsAfter(...past, exited('run-2'))).toEqual([['main', 1]]);
  });

  it.each([
    ['its agent went on and ended by itself', [exited()]],
    ['it is completed', [on('demo/a', 'task.completed', { runId: 'run-1' })]],
    ['it failed', [exited('run-1', 'limited'), on('demo/a', 'task.failed')]],
  ])('are forgotten when %s', (_, past) => {
    expect(limitsAfter(limited(), ...past)).toEqual([]);
  });

  it('end a little after the time they name, else after a while that doubles up to an hour', () => {
    const at = '2026-03-01T12:00:00.000Z';
    const limit = { runId: 'run-1', agent: undefined, at, times: 1 };
    const minutes = (ms: number) => (ms - Date.parse(at)) / 60_000;
    expect(minutes(limitEnd({ ...limit, times: 9, resetsAt: '2026-03-01T12:10:00.000Z' }))).toBe(10.05);
    expect([1, 2, 4, 5].map((times) => minutes(limitEnd({ ...limit, times })))).toEqual([5, 10, 40, 60]);
    expect(limitedUntil({ limits: [limit] }, 'other')).toBe(0);
  });
});

describe('the sessions of a task', () => {
  const ids = (...past: readonly Candidate[]) =>
    taskAfter(...past).sessions.map(({ sessionId }) => sessionId);
  const second = [exited(), ...runOf('run-2', 2, 'other')];

  it('are the last one of each agent', () => {
    const past = [opened('run-1', 's-1'), opened('run-1', 's-2'), ...second, opened('run-2', 's-3')];
    expect(ids(...past)).toEqual(['s-2', 's-3']);
  });

  it('are forgotten when an attempt failed: the next one begins afresh', () => {
    expect(ids(opened('run-1', 's-1'), exited(), on('demo/a', 'task.retried'))).toEqual([]);
  });

  it('are those of its own runs', () => {
    expect(ids(...second, opened('run-1', 's-1'))).toEqual([]);
  });

  it('know what was used in them, by every run that worked in them', () => {
    const used = (runId: string, input: number, more: object = {}) =>
      on('demo/a', 'agent.usage', { runId, tokens: { input, output: 2, ...more } });
    const firstRun = [opened('run-1', 's-1'), used('run-1', 10), used('run-1', 5, { cached: 3 }), exited()];
    const nextRun = [...runOf('run-2', 2, 'main'), opened('run-2', 's-1'), used('run-2', 100)];
    const past = [...firstRun, ...nextRun];
    const total = (...more: readonly Candidate[]) =>
      taskAfter(...past, ...more).sessions.map(({ used: all }) => all);
    expect(total()).toEqual([{ input: 115, output: 6, cached: 3 }]);
    expect(total(used('run-9', 1))).toEqual([{ input: 115, output: 6, cached: 3 }]);
    expect(total(opened('run-2', 's-2'))).toEqual([{ input: 0, output: 0, cached: 0 }]);
  });
});
