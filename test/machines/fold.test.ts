import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../src/machines/fold.ts';
import { fromSnapshot, toSnapshot } from '../../src/machines/project-snapshot.ts';
import { describeSprint } from '../../src/views/sprints/describe-sprint.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { readyTasks } from '../../src/machines/ready-tasks.ts';
import { History, on } from '../helpers/history.ts';

const tasks = [
  { id: 'a', file: 'a.md' },
  { id: 'b', file: 'b.md', dependsOn: ['a'] },
];
const created = on('demo', 'sprint.created', { tasks });
const running = [created, on('demo', 'sprint.started', { maxAttempts: 2 }), on('demo/a', 'task.started')];
const question = on('demo/a', 'help.requested', { requestId: 'q-1', question: 'Which one?' });

const words = (history: History) => {
  const { state, detail, tasks: views } = describeSprint(history.sprint());
  return [detail === undefined ? state : `${state}.${detail}`, ...views.map((task) => task.state)];
};

describe('the fold', () => {
  it('moves the sprint with its tasks', () => {
    const history = new History(created);
    expect(words(history)).toEqual(['pending', 'pending', 'pending']);
    history.add(on('demo', 'sprint.started'));
    expect(words(history)).toEqual(['active.running', 'pending', 'pending']);
    history.add(on('demo/a', 'task.started'));
    expect(words(history)).toEqual(['active.running', 'active', 'pending']);
    history.add(question);
    expect(words(history)).toEqual(['blocked', 'blocked', 'pending']);
    history.add(on('demo/a', 'help.answered'));
    expect(words(history)).toEqual(['active.running', 'active', 'pending']);
    history.add(on('demo/a', 'task.completed'));
    history.add(on('demo/b', 'task.started'));
    history.add(on('demo/b', 'task.completed'));
    expect(words(history)).toEqual(['active.running', 'done', 'done']);
    history.add(on('demo', 'sprint.completed'));
    expect(words(history)).toEqual(['done.completed', 'done', 'done']);
  });

  it('counts failures against the limit of the task, where `sprint.started` names one', () => {
    const limits = [{ id: 'b', maxAttempts: 3 }];
    const history = new History(created, on('demo', 'sprint.started', { maxAttempts: 1, limits }));
    expect(describeSprint(history.sprint()).tasks.map(({ maxAttempts }) => maxAttempts)).toEqual([1, 3]);
    for (const task of ['demo/a', 'demo/b']) history.add(on(task, 'task.started'));
    expect(history.add(on('demo/a', 'task.retried')).legal).toBe(false);
    expect(history.add(on('demo/b', 'task.retried')).legal).toBe(true);
    history.add(on('demo', 'sprint.failed'));
    history.add(on('demo', 'sprint.started', { maxAttempts: 2 }));
    expect(describeSprint(history.sprint()).tasks.map(({ maxAttempts }) => maxAttempts)).toEqual([2, 2]);
  });

  it('says which tasks are ready', () => {
    const history = new History(created);
    expect(readyTasks(history.sprint()).map(({ id }) => id)).toEqual(['a']);
    history.add(on('demo/a', 'task.skipped'));
    expect(readyTasks(history.sprint()).map(({ id }) => id)).toEqual(['b']);
    const failed = new History(...running, on('demo/a', 'task.failed'));
    expect(readyTasks(failed.sprint())).toEqual([]);
  });

  it('refuses to complete a sprint while a task is unfinished or failed', () => {
    const history = new History(...running, on('demo/a', 'task.failed'), on('demo/b', 'task.skipped'));
    expect(history.add(on('demo', 'sprint.completed'))).toMatchObject({ legal: false, who: 'sprint demo' });
    history.add(on('demo/a', 'task.reset'));
    expect(history.add(on('demo', 'sprint.completed')).legal).toBe(false);
  });

  it('keeps a question for no task with the sprint, which goes on', () => {
    const history = new History(...running, on('demo', 'help.requested', { requestId: 'q-2' }));
    expect(words(history)).toEqual(['active.running', 'active', 'pending']);
    expect(describeSprint(history.sprint()).open).toMatchObject([{ id: 'q-2', task: undefined }]);
    expect(history.add(on('demo', 'help.answered', { requestId: 'q-2' })).legal).toBe(true);
  });

  it('takes questions outside any sprint', () => {
    const history = new History(on('adhoc', 'help.requested'));
    expect(history.add(on('adhoc', 'help.answered')).legal).toBe(true);
    expect(history.add(on('adhoc', 'help.answered', { response: 'no, this' }))).toMatchObject({
      legal: false,
      who: 'request q-1',
      state: 'answered',
    });
    expect(history.sprint('adhoc').requests.get('q-1')?.answer?.response).toBe('That one');
  });

  it('dismisses what is still open when its task is completed', () => {
    const history = new History(...running, question, on('demo/a', 'task.completed'));
    const request = history.sprint().requests.get('q-1');
    expect(request).toMatchObject({ phase: 'dismissed', dismissal: { by: 'agent' } });
    expect(history.add(on('demo/a', 'help.answered')).legal).toBe(false);
  });

  it('leaves the questions of other tasks open', () => {
    const history = new History(
      created,
      on('demo', 'sprint.started'),
      on('demo/a', 'task.started'),
      question,
      on('demo', 'help.requested', { requestId: 'q-2' }),
      on('demo/a', 'task.skipped'),
    );
    expect(describeSprint(history.sprint()).open.map(({ id }) => id)).toEqual(['q-2']);
    history.add(on('demo', 'sprint.cancelled'));
    expect(describeSprint(history.sprint()).open).toEqual([]);
  });

  it('reads a task that its agent blocked as a question', () => {
    const history = new History(
      ...running,
      on('demo/a', 'task.blocked', { requestId: 'q-b', reason: 'No key' }),
    );
    expect(describeSprint(history.sprint()).open).toMatchObject([
      { id: 'q-b', kind: 'help', question: 'No key', task: 'a' },
    ]);
    history.add(on('demo/a', 'help.answered', { requestId: 'q-b' }));
    expect(nameOf(history.sprint().tasks.get('a')?.machine.value ?? '')).toBe('active.working');
  });

  it('refuses to ask twice under one id', () => {
    const history = new History(...running, question);
    expect(history.add(question)).toMatchObject({ legal: false, who: 'request q-1', state: 'open' });
  });

  it('remembers who received an answer, and who stopped waiting', () => {
    const history = new History(
      ...running,
      question,
      on('demo/a', 'help.detached', { agent: 'run-1' }),
      on('demo/a', 'help.expired', { agent: 'run-1' }),
      on('demo/a', 'help.answered'),
      on('demo/a', 'help.delivered', { to: 'run-2' }),
      on('demo/a', 'help.delivered', { to: 'run-2' }),
      on('demo/a', 'help.delivered', { to: 'run-3' }),
    );
    expect(history.sprint().requests.get('q-1')).toMatchObject({
      phase: 'delivered',
      detached: ['run-1'],
      deliveredTo: ['run-2', 'run-3'],
    });
  });

  it('knows whose call waits for the answer', () => {
    const history = new History(...running, question);
    const waiting = () => [...(history.sprint().requests.get('q-1')?.waiting ?? [])];
    expect(waiting()).toEqual(['run-1']);
    history.add(on('demo/a', 'help.attached', { agent: 'session-2' }));
    expect(waiting()).toEqual(['run-1', 'session-2']);
    history.add(on('demo/a', 'help.expired', { agent: 'session-2' }));
    expect(waiting()).toEqual(['run-1']);
    expect(describeSprint(history.sprint()).open[0]?.isAwaited).toBe(true);
    history.add(on('demo/a', 'agent.exited', { runId: 'run-1' }));
    expect(waiting()).toEqual([]);
    expect(describeSprint(history.sprint()).open[0]?.isAwaited).toBe(false);
  });

  it.each([
    ['its answer was delivered', on('demo/a', 'help.delivered', { to: 'run-1' })],
    ['it was lost', on('demo/a', 'agent.lost', { runId: 'run-1' })],
    ['its call ended', on('demo/a', 'help.detached', { agent: 'run-1' })],
  ])('takes an agent for one that waits no longer after %s', (_, event) => {
    const history = new History(...running, question, on('demo/a', 'help.attached', { agent: 'other' }));
    history.add(event);
    expect([...(history.sprint().requests.get('q-1')?.waiting ?? [])]).toEqual(['other']);
  });

  it('counts no negative time when the clock was set back', () => {
    const history = new History(...running, question);
    const answered = history.events.length;
    history.add(on('demo/a', 'help.answered'));
    const { state } = new History();
    for (const [index, event] of history.events.entries())
      applyEvent(state, index === answered ? { ...event, time: '2020-01-01T00:00:00.000Z' } : event);
    expect(state.streams.get('demo')?.tasks.get('a')?.waitedMs).toBe(0);
  });

  it('does not take a delivery of an open question for an answer', () => {
    const history = new History(...running, question, on('demo/a', 'help.delivered'));
    expect(history.sprint().requests.get('q-1')?.phase).toBe('open');
    expect(history.add(on('demo/a', 'help.answered')).legal).toBe(true);
  });

  it('measures the time spent waiting for a human', () => {
    const history = new History(...running, question);
    expect(describeSprint(history.sprint()).tasks[0]?.blockedSince).toBeDefined();
    history.add(on('demo/a', 'help.detached'));
    history.add(on('demo/a', 'help.answered'));
    expect(describeSprint(history.sprint()).tasks[0]).toMatchObject({
      waitedMs: 2_000,
      blockedSince: undefined,
    });
  });

  it('adds the tasks a manifest gained, and opens a completed sprint for them', () => {
    const history = new History(
      ...running,
      on('demo/a', 'task.completed'),
      on('demo/b', 'task.skipped'),
      on('demo', 'sprint.completed'),
      on('demo', 'sprint.amended', { tasks: [{ id: 'c', file: 'c.md' }] }),
    );
    expect(words(history)).toEqual(['pending', 'done', 'done', 'pending']);
    expect(history.add(on('demo', 'sprint.started')).legal).toBe(true);
    expect(history.add(on('demo/c', 'task.started')).legal).toBe(true);
  });

  it('lets tasks in that were done before', () => {
    const done = on('demo/a', 'task.completed', { by: 'manifest' });
    expect(words(new History(created, done))).toEqual(['pending', 'done', 'pending']);
  });

  it('remembers agents of no task that asked nobody, each with the last time, also in a snapshot', () => {
    const unasked = (agent?: string) => on('adhoc', 'tool.unasked', { agent });
    const history = new History(unasked('opencode'), unasked('gemini'), unasked(), unasked('opencode'));
    const saved: unknown = JSON.parse(JSON.stringify(toSnapshot(history.sprint('adhoc'))));
    const [gemini, opencode, ...others] = fromSnapshot(saved).unaskedBy ?? [];
    const [, second, , last] = history.events;
    expect(gemini).toEqual({ agent: 'gemini', at: second?.time });
    expect(opencode).toEqual({ agent: 'opencode', at: last?.time });
    expect(others).toEqual([]);
  });

  it('names the agent of the current attempt only', () => {
    const history = new History(...running, on('demo/a', 'agent.started'));
    expect(describeSprint(history.sprint()).tasks[0]?.agent).toMatchObject({ runId: 'run-1', pid: 4711 });
    history.add(on('demo/a', 'agent.exited'));
    expect(describeSprint(history.sprint()).tasks[0]?.agent).toBeUndefined();
  });

  it('records observations whatever the state', () => {
    const history = new History(created);
    for (const type of [
      'agent.exited',
      'tool.returned',
      'signal.received',
      'help.detached',
      'help.delivered',
    ] as const) {
      expect(history.add(on('demo/nobody', type)).legal, type).toBe(true);
    }
    expect(words(history)).toEqual(['pending', 'pending', 'pending']);
  });

  it('refuses a decision about a task that is not there', () => {
    const history = new History(created);
    expect(history.add(on('demo/z', 'task.skipped'))).toMatchObject({
      legal: false,
      who: 'task z',
      state: 'unknown',
    });
    expect(history.add(on('demo', 'task.skipped')).legal).toBe(false);
  });

  it.each(['help.answered', 'help.dismissed'] as const)(
    'refuses %s under the name of another task than the one the question is about',
    (type) => {
      const history = new History(...running, question);
      for (const other of ['demo/b', 'demo'])
        expect(history.add(on(other, type))).toMatchObject({ legal: false, who: 'request q-1' });
      expect(history.add(on('demo/a', type)).legal).toBe(true);
      expect(words(history)).toEqual(['active.running', 'active', 'pending']);
    },
  );

  it('names what would be possible', () => {
    const history = new History(...running, on('demo/a', 'task.failed'));
    expect(history.add(on('demo/a', 'task.completed'))).toMatchObject({
      state: 'done.failed',
      possible: ['task.reset', 'task.skipped', 'task.cancelled'],
    });
  });

  it('does not name what only a manifest can say', () => {
    const history = new History(created);
    expect(history.add(on('demo/a', 'task.completed'))).toMatchObject({
      state: 'pending',
      possible: ['task.skipped', 'task.cancelled', 'task.started'],
    });
  });

  it('refuses new attempts in a paused sprint', () => {
    const history = new History(created, on('demo', 'sprint.started'), on('demo', 'sprint.paused'));
    expect(history.add(on('demo/a', 'task.started'))).toMatchObject({
      who: 'sprint demo',
      state: 'active.paused',
    });
  });
});

it('keeps what was told in a snapshot, whatever is known of it', () => {
  const { state } = new History(
    on('demo', 'sprint.created'),
    on('demo', 'sprint.started'),
    on('demo/a', 'task.started'),
    on('demo/a', 'help.requested', { requestId: 'q-1' }),
    // Two chats that the channel had, one after the other, called their messages alike.
    on('demo/a', 'notify.sent', { channel: 'phone', place: 'before', requests: ['q-1'], ref: '7' }),
    on('demo/a', 'notify.sent', {
      channel: 'phone',
      place: 'now',
      requests: ['q-1'],
      ref: '7',
      showsCall: true,
    }),
    on('demo', 'notify.sent', { channel: 'phone', place: 'before', about: 'left', requests: undefined }),
    on('demo', 'notify.sent', { channel: 'phone', place: 'now', about: 'left', requests: undefined }),
    on('demo/a', 'help.answered', { requestId: 'q-1' }),
    on('demo/a', 'notify.settled', { channel: 'phone', place: 'now', request: 'q-1', ref: '7' }),
  );
  const sprint = state.streams.get('demo');
  if (!sprint) throw new Error('there is no sprint');
  const saved = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(sprint))));
  expect(saved.told).toEqual(sprint.told);
  expect(saved.told?.map(({ place }) => place)).toEqual(['before', 'now']);
  const told = saved.requests.get('q-1')?.told;
  expect(told).toEqual(sprint.requests.get('q-1')?.told);
  expect(told?.map(({ isSettled }) => isSettled)).toEqual([undefined, true]);
  expect(told).toMatchObject([{ place: 'before' }, { place: 'now', showsCall: true }]);
});

it('keeps which failure each channel has told of, also in a snapshot', () => {
  const history = new History(
    ...running,
    on('demo/a', 'task.failed'),
    on('demo/a', 'notify.sent', {
      channel: 'phone',
      requests: undefined,
      failures: [{ task: 'a', attempt: 1 }],
    }),
    on('demo/a', 'notify.sent', {
      channel: 'phone',
      place: 'of another chat',
      requests: undefined,
      failures: [{ task: 'a', attempt: 1 }],
    }),
  );
  const [, , , failed] = history.events;
  const saved: unknown = JSON.parse(JSON.stringify(toSnapshot(history.sprint())));
  expect(fromSnapshot(saved).tasks.get('a')).toMatchObject({
    failedAt: failed?.time,
    failuresTold: [
      { channel: 'phone', attempt: 1 },
      { channel: 'phone', place: 'of another chat', attempt: 1 },
    ],
  });
});
