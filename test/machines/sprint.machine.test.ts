import { describe, expect, it } from 'vitest';
import { sprintKind } from '../../src/machines/kinds.ts';
import type { TasksCounted } from '../../src/machines/sprint.machine.ts';
import { fact } from '../helpers/facts.ts';
import { specFor } from '../helpers/machine-spec.ts';

const given = specFor(sprintKind);

const counted = (data: Partial<TasksCounted['data']>): TasksCounted => ({
  type: 'tasks.counted',
  data: { stuck: false, finished: false, ...data },
});
const created = fact('sprint.created');
const running = [created, fact('sprint.started')];
const paused = [...running, fact('sprint.paused')];
const blocked = [...running, counted({ stuck: true })];
const failed = [...running, fact('sprint.failed')];
const finished = [...running, counted({ finished: true })];
const completed = [...finished, fact('sprint.completed')];
const cancelled = [created, fact('sprint.cancelled')];

describe('a stream without a sprint', () => {
  it('takes nothing but its creation', () => {
    given([]).when(created).becomes('pending');
    given([]).when(fact('sprint.started')).isRefused();
    given([]).when(fact('task.started')).isRefused();
  });
});

describe('a pending sprint', () => {
  it('is created once', () => given([created]).when(created).isRefused());

  it('starts, is cancelled, and can be edited', () => {
    given([created]).when(fact('sprint.started')).becomes('active.running');
    given([created]).when(fact('sprint.cancelled')).becomes('done.cancelled');
    for (const type of ['sprint.amended', 'task.skipped', 'task.cancelled', 'task.reset'] as const) {
      given([created]).when(fact(type)).becomes('pending');
    }
  });

  it('lets tasks in that were done before, and none start', () => {
    given([created])
      .when(fact('task.completed', { by: 'manifest' }))
      .becomes('pending');
    given([created]).when(fact('task.completed')).isRefused();
    given([created]).when(fact('task.started')).isRefused();
  });

  it('completes when every task was done before, not else', () => {
    given([created]).when(fact('sprint.completed')).isRefused();
    given([created, counted({ finished: true })])
      .when(fact('sprint.completed'))
      .becomes('done.completed');
  });

  it('keeps what its tasks add up to for its start', () => {
    given([created])
      .when(counted({ stuck: true }))
      .becomes('pending');
    given([created, counted({ stuck: true })])
      .when(fact('sprint.started'))
      .becomes('blocked');
  });
});

describe('a running sprint', () => {
  it('may be taken up by another runner', () =>
    given(running).when(fact('sprint.started')).becomes('active.running'));

  it('allows what its tasks report', () => {
    for (const type of [
      'task.started',
      'task.blocked',
      'task.completed',
      'task.failed',
      'task.retried',
    ] as const) {
      given(running).when(fact(type)).becomes('active.running');
    }
  });

  it('is blocked when a task is blocked and none is active', () => {
    given(running)
      .when(counted({ stuck: true }))
      .becomes('blocked');
    given(running).when(counted({})).becomes('active.running');
  });

  it('completes when every task is done, not before', () => {
    given(running).when(fact('sprint.completed')).isRefused();
    given(finished).when(fact('sprint.completed')).becomes('done.completed');
  });

  it('pauses, fails, is cancelled', () => {
    given(running).when(fact('sprint.paused')).becomes('active.paused');
    given(running).when(fact('sprint.resumed')).isRefused();
    given(running).when(fact('sprint.failed')).becomes('done.failed');
    given(running).when(fact('sprint.cancelled')).becomes('done.cancelled');
  });
});

describe('a paused sprint', () => {
  it('starts no task, and lets those that work report', () => {
    given(paused).when(fact('task.started')).isRefused();
    for (const type of ['task.blocked', 'task.completed', 'task.failed', 'task.retried'] as const) {
      given(paused).when(fact(type)).becomes('active.paused');
    }
  });

  it('stays paused for a new runner and for its tasks, and resumes where it stands', () => {
    given(paused).when(fact('sprint.started')).becomes('active.paused');
    given(paused).when(fact('sprint.paused')).isRefused();
    given(paused)
      .when(counted({ stuck: true }))
      .becomes('active.paused');
    given(paused).when(fact('sprint.resumed')).becomes('active.running');
    given([...paused, counted({ stuck: true })])
      .when(fact('sprint.resumed'))
      .becomes('blocked');
  });
});

describe('a blocked sprint', () => {
  it('goes on when a task does', () => {
    given(blocked).when(counted({})).becomes('active.running');
    given(blocked)
      .when(counted({ stuck: true }))
      .becomes('blocked');
  });

  it('lets other tasks start, pauses, fails, is cancelled, is taken up', () => {
    given(blocked).when(fact('task.started')).becomes('blocked');
    given(blocked).when(fact('sprint.started')).becomes('blocked');
    given(blocked).when(fact('sprint.paused')).becomes('active.paused');
    given(blocked).when(fact('sprint.failed')).becomes('done.failed');
    given(blocked).when(fact('sprint.cancelled')).becomes('done.cancelled');
    given(blocked).when(fact('sprint.completed')).isRefused();
  });
});

describe('a done sprint', () => {
  it('failed runs again: at once, after a reset or a skip, or with new tasks', () => {
    given(failed).when(fact('sprint.started')).becomes('active.running');
    given([...running, counted({ stuck: true }), fact('sprint.failed')])
      .when(fact('sprint.started'))
      .becomes('blocked');
    for (const type of ['task.reset', 'task.skipped', 'sprint.amended'] as const) {
      given(failed).when(fact(type)).becomes('pending');
    }
    given(failed).when(fact('sprint.cancelled')).becomes('done.cancelled');
  });

  it('completed is opened only by new tasks', () => {
    given(completed).when(fact('sprint.amended')).becomes('pending');
    for (const type of ['sprint.started', 'task.reset', 'task.started', 'sprint.cancelled'] as const) {
      given(completed).when(fact(type)).isRefused();
    }
  });

  it('cancelled stays so', () => {
    for (const type of ['sprint.started', 'task.reset', 'sprint.amended', 'task.started'] as const) {
      given(cancelled).when(fact(type)).isRefused();
    }
  });

  it('goes on counting, since a late event may still move a task', () => {
    expect(
      given(failed)
        .when(counted({ finished: true }))
        .becomes('done.failed').finished,
    ).toBe(true);
  });
});
