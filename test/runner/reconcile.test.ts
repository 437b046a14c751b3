import { describe, expect, it } from 'vitest';
import { reconcile } from '../../src/runner/reconcile.ts';
import type { RunnerView, RunView } from '../../src/runner/runner-view.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import { History, on } from '../helpers/history.ts';

const now = 1_000_000;
const policy = { wait: true, concurrency: 1, completionGraceMs: 10_000 };

/** A runner that has taken up a sprint with this history, unless `knows` says otherwise. */
function viewOf(past: readonly Candidate[], knows: Partial<RunnerView> = {}): RunnerView {
  return {
    sprint: past.length === 0 ? undefined : new History(...past).sprint(),
    runs: [],
    retryAt: new Map(),
    entered: true,
    recovered: true,
    takenUp: true,
    stopReason: undefined,
    now,
    policy,
    ...knows,
  };
}

const run = (facts: Partial<RunView> = {}): RunView => ({
  runId: 'run-1',
  taskId: 'a',
  phase: 'working',
  completedAt: undefined,
  hasFacts: false,
  ...facts,
});

const created = on('demo', 'sprint.created', {
  tasks: [
    { id: 'a', file: 'a.md' },
    { id: 'b', file: 'b.md' },
  ],
});
const started = on('demo', 'sprint.started');
const begun = on('demo/a', 'task.started');
const asked = on('demo/a', 'help.requested', { origin: { agent: 'run-1', runId: 'run-1' } });
const exited = on('demo/a', 'agent.exited');
const answered = on('demo/a', 'help.answered');
const completed = on('demo/a', 'task.completed', { runId: 'run-1' });
const skippedB = on('demo/b', 'task.skipped');
const failed = on('demo/a', 'task.failed', { reason: 'exit 3' });
const paused = on('demo', 'sprint.paused');
const working = [created, started, begun];

describe('at the beginning of a run, the next action', () => {
  const early = { entered: false, recovered: false, takenUp: false };

  it('enters a sprint the log does not know', () => {
    expect(reconcile(viewOf([], early))).toEqual([{ do: 'enter-sprint' }]);
  });

  it('enters a known sprint, too: its manifest may have gained tasks', () => {
    expect(reconcile(viewOf([created], early))).toEqual([{ do: 'enter-sprint' }]);
  });

  it('ends what an earlier runner left before anything starts', () => {
    expect(reconcile(viewOf(working, { recovered: false, takenUp: false }))).toEqual([{ do: 'end-orphans' }]);
  });

  it.each<[string, Candidate[]]>([
    ['a new sprint', [created]],
    ['one that was left in the middle', [...working, exited]],
    ['one that waits for a human', [...working, asked, exited]],
    ['a paused one', [created, started, paused]],
  ])('starts %s', (_, past) => {
    expect(reconcile(viewOf(past, { takenUp: false }))).toEqual([{ do: 'start-sprint' }]);
  });

  it('resets the tasks of a failed sprint and starts it', () => {
    const past = [...working, exited, failed, on('demo', 'sprint.failed')];
    expect(reconcile(viewOf(past, { takenUp: false }))).toEqual([
      { do: 'reset-tasks', taskIds: ['a'] },
      { do: 'start-sprint' },
    ]);
  });

  it.each<[string, Candidate, object]>([
    ['cancelled', on('demo', 'sprint.cancelled'), { outcome: 'cancelled', reason: 'it was cancelled' }],
    ['completed', on('demo', 'sprint.completed'), { outcome: 'completed', reason: 'all tasks are done' }],
  ])('leaves a %s sprint alone', (_, last, end) => {
    const past = [...working, completed, skippedB, last];
    expect(reconcile(viewOf(past, { takenUp: false }))).toEqual([{ do: 'end', end }]);
  });
});

describe('with nothing running, the next action', () => {
  it('starts the first ready task, and no other beside it', () => {
    expect(reconcile(viewOf([created, started]))).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
  });

  it('starts as many as there is room for', () => {
    const view = viewOf([created, started], { policy: { ...policy, concurrency: 2 } });
    expect(reconcile(view)).toEqual([
      { do: 'start-attempt', taskId: 'a' },
      { do: 'start-attempt', taskId: 'b' },
    ]);
  });

  it('starts the next attempt of a task whose agent is gone before any other task', () => {
    expect(reconcile(viewOf([...working, exited]))).toEqual([{ do: 'start-attempt', taskId: 'a' }]);
  });

  it('starts the next attempt when a late answer has come', () => {
    expect(reconcile(viewOf([...working, asked, exited, answered]))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('waits for the human a task is blocked by, and starts no later task', () => {
    expect(reconcile(viewOf([...working, asked, exited]))).toEqual([{ do: 'wait', for: 'human' }]);
  });

  it('leaves a task to an agent nobody started, and starts another', () => {
    const byHand = on('demo/a', 'task.started', { runId: undefined });
    expect(reconcile(viewOf([created, started, byHand]))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
  });

  it('takes over a task from an agent nobody started when nothing else is left', () => {
    const byHand = on('demo/a', 'task.started', { runId: undefined });
    expect(reconcile(viewOf([created, started, byHand, skippedB]))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('waits out the delay of a retry', () => {
    const past = [...working, exited, on('demo/a', 'task.retried')];
    const retryAt = new Map([['a', now + 500]]);
    expect(reconcile(viewOf(past, { retryAt }))).toEqual([{ do: 'wait', for: 'retry', until: now + 500 }]);
    expect(reconcile(viewOf(past, { retryAt, now: now + 500 }))).toEqual([
      { do: 'start-attempt', taskId: 'a' },
    ]);
  });

  it('forgets the delay of a task that was skipped meanwhile', () => {
    const past = [...working, exited, on('demo/a', 'task.retried'), on('demo/a', 'task.skipped')];
    const retryAt = new Map([['a', now + 500]]);
    expect(reconcile(viewOf(past, { retryAt }))).toEqual([{ do: 'start-attempt', taskId: 'b' }]);
  });

  it('waits while the sprint is paused, also when a delay is over', () => {
    const past = [...working, exited, on('demo/a', 'task.retried'), paused];
    expect(reconcile(viewOf(past, { retryAt: new Map([['a', now - 1]]) }))).toEqual([
      { do: 'wait', for: 'resume' },
    ]);
  });

  it('fails the sprint of a failed task, naming the task and why', () => {
    expect(reconcile(viewOf([...working, exited, failed]))).toEqual([
      { do: 'fail-sprint', reason: 'task a failed: exit 3' },
    ]);
  });

  it('fails a sprint in which no task can start, naming what they wait for', () => {
    const tasks = [{ id: 'a', file: 'a.md', dependsOn: ['b', 'x'] }];
    expect(reconcile(viewOf([on('demo', 'sprint.created', { tasks }), started]))).toEqual([
      { do: 'fail-sprint', reason: 'no task can start: a waits for b (unknown) and x (unknown)' },
    ]);
  });

  it('completes a sprint whose tasks are done', () => {
    expect(reconcile(viewOf([...working, completed, exited, skippedB]))).toEqual([{ do: 'complete-sprint' }]);
  });

  it('starts a sprint that someone made pending again', () => {
    const past = [...working, exited, failed, on('demo', 'sprint.failed'), on('demo/a', 'task.reset')];
    expect(reconcile(viewOf(past))).toEqual([{ do: 'start-sprint' }]);
  });
});

describe('with an agent at work, the next action', () => {
  it('waits for it', () => {
    expect(reconcile(viewOf(working, { runs: [run()] }))).toEqual([{ do: 'wait', for: 'agent' }]);
  });

  it('waits for the human it has asked', () => {
    expect(reconcile(viewOf([...working, asked], { runs: [run()] }))).toEqual([{ do: 'wait', for: 'human' }]);
  });

  it('records its end first', () => {
    const view = viewOf(working, { runs: [run({ phase: 'ended' })], stopReason: 'Ctrl-C' });
    expect(reconcile(view)).toEqual([{ do: 'record-exit', runId: 'run-1' }]);
  });

  it.each<[string, Candidate]>([
    ['skipped', on('demo/a', 'task.skipped')],
    ['cancelled', on('demo/a', 'task.cancelled')],
    ['cancelled with the sprint', on('demo', 'sprint.cancelled')],
  ])('stops it at once when its task was %s', (_, last) => {
    expect(reconcile(viewOf([...working, last], { runs: [run()] }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'stopped' },
    ]);
  });

  it('lets it work on while the sprint is paused', () => {
    expect(reconcile(viewOf([...working, paused], { runs: [run()] }))).toEqual([
      { do: 'wait', for: 'agent' },
    ]);
  });

  it('gives it time to end after it completed its task, and no other task its place', () => {
    const runs = [run({ completedAt: now })];
    const past = [...working, completed];
    expect(reconcile(viewOf(past, { runs }))).toEqual([{ do: 'wait', for: 'agent', until: now + 10_000 }]);
    expect(reconcile(viewOf(past, { runs, now: now + 10_000 }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'finished' },
    ]);
  });

  it('does not count the time it waits for a human about the sprint', () => {
    const about = on('demo', 'help.requested', { origin: { agent: 'run-1', runId: 'run-1' } });
    const view = viewOf([...working, about, completed], { runs: [run({ completedAt: 0 })] });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'human' }]);
  });

  it('lets it end before the sprint is completed: it may want to complete it itself', () => {
    const view = viewOf([...working, completed, skippedB], { runs: [run({ completedAt: now })] });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'agent', until: now + 10_000 }]);
  });

  it('lets it end before the sprint fails', () => {
    const runs = [run({ runId: 'run-2', taskId: 'b' })];
    const both = [...working, on('demo/b', 'task.started', { runId: 'run-2' }), exited, failed];
    expect(reconcile(viewOf(both, { runs }))).toEqual([{ do: 'wait', for: 'agent' }]);
  });

  it('starts no second agent on a task that was reset while the first is being stopped', () => {
    const past = [...working, on('demo/a', 'task.skipped'), on('demo/a', 'task.reset'), skippedB];
    const view = viewOf(past, {
      runs: [run({ phase: 'stopping' })],
      policy: { ...policy, concurrency: 2 },
    });
    expect(reconcile(view)).toEqual([{ do: 'wait', for: 'agent' }]);
  });
});

describe('told to stop, the next action', () => {
  it('stops the agents, waits for them, then ends', () => {
    const stopReason = 'Ctrl-C';
    expect(reconcile(viewOf(working, { stopReason, runs: [run()] }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'stopped' },
    ]);
    expect(reconcile(viewOf(working, { stopReason, runs: [run({ phase: 'stopping' })] }))).toEqual([
      { do: 'wait', for: 'agent' },
    ]);
    expect(reconcile(viewOf(working, { stopReason }))).toEqual([
      { do: 'end', end: { outcome: 'stopped', reason: 'Ctrl-C' } },
    ]);
  });
});

describe('without waiting for humans, the next action', () => {
  const noWait = { policy: { ...policy, wait: false } };

  it('ends a sprint that only an answer can move', () => {
    expect(reconcile(viewOf([...working, asked, exited], noWait))).toEqual([
      { do: 'end', end: { outcome: 'blocked', reason: 'a human has to answer a: Which one?' } },
    ]);
  });

  it('stops an agent that waits for an answer', () => {
    expect(reconcile(viewOf([...working, asked], { ...noWait, runs: [run()] }))).toEqual([
      { do: 'stop-agent', runId: 'run-1', reason: 'stopped' },
    ]);
  });

  it('ends a paused sprint when its agents are done', () => {
    expect(reconcile(viewOf([...working, paused], { ...noWait, runs: [run()] }))).toEqual([
      { do: 'wait', for: 'agent' },
    ]);
    expect(reconcile(viewOf([...working, exited, paused], noWait))).toEqual([
      { do: 'end', end: { outcome: 'blocked', reason: 'the sprint is paused' } },
    ]);
  });

  it('still waits out the delay of a retry', () => {
    const past = [...working, exited, on('demo/a', 'task.retried')];
    expect(reconcile(viewOf(past, { ...noWait, retryAt: new Map([['a', now + 500]]) }))).toEqual([
      { do: 'wait', for: 'retry', until: now + 500 },
    ]);
  });
});
