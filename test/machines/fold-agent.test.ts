import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/machines/legality.ts';
import { parkedSince } from '../../src/machines/parked.ts';
import { History, on } from '../helpers/history.ts';

const runOf = (runId: string, attempt: number, agent: string) => [
  on('demo/a', 'task.started', { runId, attempt }),
  on('demo/a', 'agent.started', { runId, attempt, agent }),
];
const first = [on('demo', 'sprint.created'), on('demo', 'sprint.started'), ...runOf('run-1', 1, 'main')];
const exited = on('demo/a', 'agent.exited', { runId: 'run-1' });
const opened = (runId: string, sessionId: string) =>
  on('demo/a', 'agent.sessionopened', { runId, sessionId });

function taskAfter(...past: readonly Candidate[]) {
  const task = new History(...first, ...past).sprint().tasks.get('a');
  if (!task) throw new Error('there is no task a');
  return task;
}

describe('the sessions of a task', () => {
  const ids = (...past: readonly Candidate[]) =>
    taskAfter(...past).sessions.map(({ sessionId }) => sessionId);
  const second = [exited, ...runOf('run-2', 2, 'other')];

  it('are the last one of each agent', () => {
    const past = [opened('run-1', 's-1'), opened('run-1', 's-2'), ...second, opened('run-2', 's-3')];
    expect(ids(...past)).toEqual(['s-2', 's-3']);
  });

  it('are forgotten when an attempt failed: the next one begins afresh', () => {
    expect(ids(opened('run-1', 's-1'), exited, on('demo/a', 'task.retried'))).toEqual([]);
  });

  it('are those of its own runs', () => {
    expect(ids(...second, opened('run-1', 's-1'))).toEqual([]);
  });

  it('know what was used in them, by every run that worked in them', () => {
    const used = (runId: string, input: number, more: object = {}) =>
      on('demo/a', 'agent.usage', { runId, tokens: { input, output: 2, ...more } });
    const firstRun = [opened('run-1', 's-1'), used('run-1', 10), used('run-1', 5, { cached: 3 }), exited];
    const nextRun = [...runOf('run-2', 2, 'main'), opened('run-2', 's-1'), used('run-2', 100)];
    const past = [...firstRun, ...nextRun];
    const total = (...more: readonly Candidate[]) =>
      taskAfter(...past, ...more).sessions.map(({ used: all }) => all);
    expect(total()).toEqual([{ input: 115, output: 6, cached: 3 }]);
    expect(total(used('run-9', 1))).toEqual([{ input: 115, output: 6, cached: 3 }]);
    expect(total(opened('run-2', 's-2'))).toEqual([{ input: 0, output: 0, cached: 0 }]);
  });
});

describe('the agent that was parked', () => {
  const parked = [on('demo/a', 'help.requested'), on('demo/a', 'agent.parked', { runId: 'run-1' })];
  const answered = on('demo/a', 'help.answered');
  const isParked = (...past: readonly Candidate[]) =>
    taskAfter(...parked, ...past).agent?.parkedAt !== undefined;

  it('is, until it was started again, or something else is', () => {
    expect(isParked()).toBe(true);
    expect(isParked(exited, answered)).toBe(true);
    expect(isParked(exited, answered, ...runOf('run-2', 2, 'main'))).toBe(false);
    const byHand = { type: 'task.started', subject: 'demo/a', data: { attempt: 2, by: 'ann' } } as const;
    expect(isParked(exited, answered, byHand)).toBe(false);
    expect(isParked(exited, on('demo/a', 'task.skipped'), on('demo/a', 'task.reset'))).toBe(false);
  });

  it('is what its task says while it waits, and no longer', () => {
    expect(parkedSince(taskAfter(...parked))).toMatch(/^2027-/);
    expect(parkedSince(taskAfter(...parked, exited, answered))).toBeUndefined();
  });

  it('is not what its task says when the next agent asks before its runner has said that it was started', () => {
    const next = on('demo/a', 'task.started', { runId: 'run-2', attempt: 2 });
    const asking = taskAfter(
      ...parked,
      exited,
      answered,
      next,
      on('demo/a', 'help.requested', { requestId: 'q-2' }),
    );
    expect(asking.machine.value).toMatchObject({ blocked: expect.any(String) as string });
    expect(parkedSince(asking)).toBeUndefined();
  });
});

describe('the agent of a task', () => {
  const connected = on('demo/a', 'agent.connected', { runId: 'run-2' });
  const [begun, started] = runOf('run-2', 2, 'main') as [Candidate, Candidate];

  it('is connected, whichever process was first to say so', () => {
    const runnerFirst = taskAfter(exited, begun, started, connected);
    const agentFirst = taskAfter(exited, begun, connected, started);
    for (const { agent, machine } of [runnerFirst, agentFirst]) {
      expect(agent?.connectedAt).toMatch(/^2027-/);
      expect(machine.value).toEqual({ active: 'working' });
    }
  });

  it('is not connected because an earlier one was', () => {
    const earlier = on('demo/a', 'agent.connected', { runId: 'run-1' });
    expect(taskAfter(earlier, exited, begun, started).agent?.connectedAt).toBeUndefined();
  });
});
