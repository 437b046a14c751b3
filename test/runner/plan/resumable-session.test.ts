import { describe, expect, it } from 'vitest';
import type { EventData } from '../../../src/events/catalog.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import type { AgentPlan } from '../../../src/runner/plan/agent-plan.ts';
import { resumableSession } from '../../../src/runner/plan/resumable-session.ts';
import { History, on } from '../../helpers/history.ts';

/** The plan for an agent. */
function planFor(agent: string, adapter: Partial<AgentPlan['adapter']> = {}): AgentPlan {
  const launch = () => ({ args: [], input: undefined, env: {} });
  return {
    agent,
    called: agent,
    name: agent,
    adapter: {
      name: 'command',
      title: '',
      connects: true,
      resumes: true,
      createParser: undefined,
      launch,
      ...adapter,
    },
    file: '/bin/true',
    isDoneByExit: false,
    prompt: () => '',
    launch,
    recorded: () => [],
  };
}

/** The run of an agent, and its end. */
function ran(
  number: number,
  { agent = 'main', sessionId, end = {} }: { agent?: string; sessionId?: string; end?: object },
  ...what: readonly Candidate[]
): Candidate[] {
  const run = { runId: `run-${number}`, attempt: number };
  const started: Partial<EventData<'agent.started'>> = { ...run, agent, adapter: 'command' };
  return [
    on('demo/a', 'task.started', run),
    on('demo/a', 'agent.started', sessionId === undefined ? started : { ...started, sessionId }),
    ...what,
    on('demo/a', 'agent.exited', { runId: run.runId, ...end }),
  ];
}
const opened = (number: number, sessionId: string) =>
  on('demo/a', 'agent.sessionopened', { runId: `run-${number}`, sessionId });
const connected = (number: number) => on('demo/a', 'agent.connected', { runId: `run-${number}` });

function sessionAfter(past: readonly Candidate[], plan = planFor('main')): string | undefined {
  const begin = [on('demo', 'sprint.created'), on('demo', 'sprint.started', { maxAttempts: 9 })];
  const task = new History(...begin, ...past).sprint().tasks.get('a');
  return task && resumableSession(task, plan);
}

const first = ran(1, {}, opened(1, 's-1'), connected(1));
const inVain = ran(2, { sessionId: 's-1' });

describe('the session of the next attempt', () => {
  it('is the one that the same agent opened', () => {
    expect(sessionAfter(first)).toBe('s-1');
    expect(sessionAfter(first, planFor('other'))).toBeUndefined();
    expect(sessionAfter(first, planFor('main', { name: 'codex' }))).toBeUndefined();
  });

  it('is a new one where the agent cannot go on with any', () => {
    expect(sessionAfter(first, planFor('main', { resumes: false }))).toBeUndefined();
  });

  it('is a new one where the log has one that would be a flag of its command line', () => {
    expect(sessionAfter(ran(1, {}, opened(1, '--dangerous'), connected(1)))).toBeUndefined();
  });

  it('is a new one when it was gone on with in vain', () => {
    expect(sessionAfter([...first, ...inVain])).toBeUndefined();
  });

  it('is a new one, too, when that run named another one: else it would go on like that for ever', () => {
    expect(sessionAfter([...first, ...ran(2, { sessionId: 's-1' }, opened(2, 's-2'))])).toBeUndefined();
  });

  it.each(['stopped', 'limited', 'overspent', 'parked'] as const)(
    'is still the same when that run was %s',
    (reason) => {
      expect(sessionAfter([...first, ...ran(2, { sessionId: 's-1', end: { reason } })])).toBe('s-1');
    },
  );

  it('is still the same when another agent ran in vain', () => {
    const other = ran(2, { agent: 'other', sessionId: 's-1' });
    expect(sessionAfter([...first, ...other])).toBe('s-1');
  });

  it('is the one that a run connected in, whatever came of it', () => {
    expect(sessionAfter([...first, ...ran(2, { sessionId: 's-1' }, connected(2))])).toBe('s-1');
  });
});
