import { describe, expect, it } from 'vitest';
import { taskKind } from '../../src/machines/kinds.ts';
import { fact } from '../helpers/facts.ts';
import { specFor } from '../helpers/machine-spec.ts';

const given = specFor(taskKind);

const started = fact('task.started');
const asked = fact('help.requested');
const two = fact('sprint.started', { maxAttempts: 2 });
const approval = fact('help.requested', { requestId: 'q-2', kind: 'approval' });
const prompt = fact('help.requested', { requestId: 'q-3', kind: 'prompt' });
const answered = fact('help.answered');
const ofRun = (runId: string) => ({ origin: { agent: runId, runId } });

describe('a pending task', () => {
  it('starts with its first attempt', () => {
    const context = given([]).when(started).becomes('active.starting');
    expect(context).toMatchObject({ attempt: 1, runId: 'run-1', byHand: false });
  });

  it('is worked on at once by an agent that no runner started', () => {
    const byHand = { type: 'task.started' as const, data: { attempt: 1, by: 'opencode' } };
    expect(given([]).when(byHand).becomes('active.working')).toMatchObject({ runId: null, byHand: true });
  });

  it('refuses an attempt out of order', () => {
    given([])
      .when(fact('task.started', { attempt: 2 }))
      .isRefused();
  });

  it('is done when the manifest said so before Clifford saw it', () => {
    given([])
      .when(fact('task.completed', { by: 'manifest' }))
      .becomes('done.completed');
  });

  it.each([
    'task.completed',
    'task.failed',
    'task.retried',
    'task.blocked',
    'task.reset',
    'help.requested',
  ] as const)('refuses %s', (type) => given([]).when(fact(type)).isRefused());

  it('can be skipped or cancelled, alone or with its sprint', () => {
    given([]).when(fact('task.skipped')).becomes('done.skipped');
    given([]).when(fact('task.cancelled')).becomes('done.cancelled');
    given([]).when(fact('sprint.cancelled')).becomes('done.cancelled');
  });

  it('takes the number of attempts from the start of its sprint', () => {
    expect(
      given([])
        .when(fact('sprint.started', { maxAttempts: 7 }))
        .becomes('pending').maxAttempts,
    ).toBe(7);
  });
});

describe('an active task', () => {
  it('is worked on when its agent connects', () => {
    given([started]).when(fact('agent.connected')).becomes('active.working');
  });

  it('does not take the agent of another run for its own', () => {
    given([started])
      .when(fact('agent.connected', { runId: 'run-0' }))
      .isRefused();
    given([started, fact('agent.connected')])
      .when(fact('agent.exited', { runId: 'run-0' }))
      .isRefused();
  });

  it('refuses a second attempt while the first may still act', () => {
    given([started])
      .when(fact('task.started', { attempt: 2, runId: 'run-2' }))
      .isRefused();
  });

  it.each(['agent.exited', 'agent.lost'] as const)('waits for the next attempt after %s', (type) => {
    const context = given([started, fact('agent.connected')])
      .when(fact(type))
      .becomes('active.starting');
    expect(context).toMatchObject({ runId: null, failures: 0, attempt: 1 });
  });

  it('starts the next attempt after its agent has gone', () => {
    given([started, fact('agent.exited')])
      .when(fact('task.started', { attempt: 2, runId: 'run-2' }))
      .becomes('active.starting');
  });

  it('is taken over by a runner from an agent that no runner started', () => {
    const byHand = { type: 'task.started' as const, data: { attempt: 1, by: 'opencode' } };
    const context = given([byHand])
      .when(fact('task.started', { attempt: 2 }))
      .becomes('active.starting');
    expect(context).toMatchObject({ runId: 'run-1', byHand: false });
  });

  it('may be started again by hand when nobody works on it', () => {
    given([started, fact('agent.exited')])
      .when({ type: 'task.started', data: { attempt: 2, by: 'opencode' } })
      .becomes('active.working');
  });

  it('retries while attempts are left, and counts', () => {
    const context = given([two, started]).when(fact('task.retried')).becomes('active.retrying');
    expect(context).toMatchObject({ failures: 1, runId: null });
    given([two, started, fact('task.retried')])
      .when(fact('task.started', { attempt: 2, runId: 'run-2' }))
      .becomes('active.starting');
  });

  it('has nobody at work on it after a failed attempt, by hand or not', () => {
    const byHand = { type: 'task.started' as const, data: { attempt: 1, by: 'opencode' } };
    expect(given([two, byHand]).when(fact('task.retried')).becomes('active.retrying').byHand).toBe(false);
    given([two, byHand, fact('task.retried'), asked])
      .when(answered)
      .becomes('active.starting');
  });

  it('refuses to retry when attempts run out', () => {
    given([started]).when(fact('task.retried')).isRefused();
    given([two, started, fact('task.retried'), fact('task.started', { attempt: 2 })])
      .when(fact('task.retried', { attempt: 3 }))
      .isRefused();
  });

  it('does not count an attempt that was ended by Ctrl-C or a crash', () => {
    given([two, started, fact('agent.lost'), fact('task.started', { attempt: 2 })])
      .when(fact('task.retried', { attempt: 3 }))
      .becomes('active.retrying');
  });

  it('fails for good', () => {
    expect(given([started]).when(fact('task.failed')).becomes('done.failed').runId).toBeNull();
  });

  it('is completed by its own attempt, or by a human', () => {
    given([started])
      .when(fact('task.completed', { runId: 'run-1' }))
      .becomes('done.completed');
    given([started]).when(fact('task.completed')).becomes('done.completed');
  });

  it('refuses what a tool call of an ended attempt says', () => {
    const ended = [started, fact('agent.exited'), fact('task.started', { attempt: 2, runId: 'run-2' })];
    given(ended)
      .when(fact('task.completed', { runId: 'run-1' }))
      .isRefused();
    given(ended)
      .when(fact('task.blocked', { runId: 'run-1' }))
      .isRefused();
    given(ended)
      .when(fact('help.requested', ofRun('run-1')))
      .isRefused();
    given([started, fact('agent.exited')])
      .when(fact('task.completed', { runId: 'run-1' }))
      .isRefused();
  });

  it('is blocked by what is asked, in a state named after it', () => {
    given([started]).when(asked).becomes('blocked.question');
    given([started])
      .when(fact('help.requested', { kind: 'clarification' }))
      .becomes('blocked.question');
    given([started]).when(approval).becomes('blocked.approval');
    given([started]).when(prompt).becomes('blocked.prompt');
    given([started])
      .when(fact('task.blocked', { runId: 'run-1' }))
      .becomes('blocked.question');
    given([started])
      .when(fact('help.requested', ofRun('run-1')))
      .becomes('blocked.question');
  });

  it('ends when a human says so', () => {
    given([started]).when(fact('task.skipped')).becomes('done.skipped');
    given([started]).when(fact('task.cancelled')).becomes('done.cancelled');
    given([started]).when(fact('sprint.cancelled')).becomes('done.cancelled');
  });
});

describe('a blocked task', () => {
  it.each(['help.answered', 'help.dismissed'] as const)('goes on after %s', (type) => {
    given([started, asked]).when(fact(type)).becomes('active.working');
  });

  it('needs a new attempt when its agent left before the answer', () => {
    const context = given([started, asked]).when(fact('agent.exited')).becomes('blocked.question');
    expect(context.runId).toBeNull();
    given([started, asked, fact('agent.exited')])
      .when(answered)
      .becomes('active.starting');
    given([started, asked, fact('agent.lost')])
      .when(answered)
      .becomes('active.starting');
  });

  it('needs a new attempt when its agent was parked', () => {
    const context = given([started, asked]).when(fact('agent.parked')).becomes('blocked.question');
    expect(context.runId).toBeNull();
    given([started, asked, fact('agent.parked')])
      .when(answered)
      .becomes('active.starting');
  });

  it('refuses to park an agent that does not work on it, or has no question open', () => {
    given([started, asked])
      .when(fact('agent.parked', { runId: 'run-9' }))
      .isRefused();
    given([started, asked, fact('agent.parked')])
      .when(fact('agent.parked'))
      .isRefused();
    given([started]).when(fact('agent.parked')).isRefused();
    given([started, asked, answered]).when(fact('agent.parked')).isRefused();
  });

  it('hears nothing more of an agent that was parked', () => {
    given([started, asked, fact('agent.parked')])
      .when(fact('task.completed', { runId: 'run-1' }))
      .isRefused();
  });

  it('goes on with the agent that asked by hand', () => {
    const byHand = { type: 'task.started' as const, data: { attempt: 1, by: 'opencode' } };
    given([byHand, asked]).when(answered).becomes('active.working');
  });

  it('refuses an answer to a request it does not have', () => {
    given([started, asked])
      .when(fact('help.answered', { requestId: 'q-9' }))
      .isRefused();
  });

  it('refuses a second answer', () => {
    given([started, asked, approval, answered]).when(answered).isRefused();
  });

  it('stays until the last request is closed, named after the oldest', () => {
    given([started, asked]).when(approval).becomes('blocked.question');
    given([started, asked, approval]).when(answered).becomes('blocked.approval');
    given([started, asked, prompt]).when(answered).becomes('blocked.prompt');
    given([started, approval, asked])
      .when(fact('help.answered', { requestId: 'q-2' }))
      .becomes('blocked.question');
    given([started, asked, approval])
      .when(fact('help.dismissed', { requestId: 'q-2' }))
      .becomes('blocked.question');
    given([started, asked, approval, answered])
      .when(fact('help.answered', { requestId: 'q-2' }))
      .becomes('active.working');
  });

  it('can be blocked again by its agent, but not by one whose attempt has ended', () => {
    given([started, asked]).when(fact('task.blocked')).becomes('blocked.question');
    given([started, asked, fact('agent.exited')])
      .when(fact('help.requested', { requestId: 'q-4', ...ofRun('run-1') }))
      .isRefused();
  });

  it('completes with a question open, which is then no longer its own', () => {
    expect(given([started, asked]).when(fact('task.completed')).becomes('done.completed').open).toEqual([]);
  });

  it.each(['task.started', 'task.failed', 'task.retried', 'task.reset'] as const)('refuses %s', (type) => {
    given([two, started, asked])
      .when(fact(type, type === 'task.started' ? { attempt: 2 } : {}))
      .isRefused();
  });

  it('ends when a human says so', () => {
    given([started, asked]).when(fact('task.skipped')).becomes('done.skipped');
    given([started, asked]).when(fact('task.cancelled')).becomes('done.cancelled');
    given([started, asked]).when(fact('sprint.cancelled')).becomes('done.cancelled');
  });
});

describe('a done task', () => {
  const ends = {
    completed: [started, fact('task.completed')],
    failed: [started, fact('task.failed')],
    skipped: [fact('task.skipped')],
    cancelled: [fact('task.cancelled')],
  };

  it.each(['failed', 'skipped', 'cancelled'] as const)('%s is pending again after a reset', (end) => {
    expect(given(ends[end]).when(fact('task.reset')).becomes('pending').failures).toBe(0);
  });

  it('goes on counting attempts after a reset', () => {
    given([...ends.failed, fact('task.reset')])
      .when(fact('task.started', { attempt: 2 }))
      .becomes('active.starting');
  });

  it('failed can be skipped or cancelled', () => {
    given(ends.failed).when(fact('task.skipped')).becomes('done.skipped');
    given(ends.failed).when(fact('task.cancelled')).becomes('done.cancelled');
    given(ends.failed).when(fact('sprint.cancelled')).becomes('done.cancelled');
  });

  it.each(['agent.exited', 'agent.lost', 'agent.connected'] as const)('is not moved by a late %s', (type) => {
    for (const past of Object.values(ends)) given(past).when(fact(type)).isRefused();
  });

  it.each(['task.started', 'task.completed', 'help.requested', 'help.answered', 'task.blocked'] as const)(
    'refuses %s',
    (type) => {
      const event = fact(type, type === 'task.started' ? { attempt: 2 } : {});
      for (const past of Object.values(ends)) given(past).when(event).isRefused();
    },
  );

  it('completed stays so', () => {
    for (const type of ['task.reset', 'task.skipped', 'task.cancelled', 'sprint.cancelled'] as const) {
      given(ends.completed).when(fact(type)).isRefused();
    }
  });
});
