import { expect, it } from 'vitest';
import { fromSnapshot, toSnapshot } from '../../../src/machines/project-snapshot.ts';
import { describeSprint } from '../../../src/views/sprints/describe-sprint.ts';
import { taskFacts } from '../../../src/views/sprints/task-facts.ts';
import { History, on } from '../../helpers/history.ts';

const begun = [
  on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
  on('demo', 'sprint.started', { maxAttempts: 2 }),
  on('demo/a', 'task.started', { attempt: 1, runId: 'run-1' }),
];
const retried = [
  on('demo/a', 'task.retried', { attempt: 2 }),
  on('demo/a', 'task.started', { attempt: 2, runId: 'run-2' }),
];
const nobody = { by: undefined, runId: undefined };

it.each([
  ['by its agent', [on('demo/a', 'task.failed', { by: 'codex', runId: 'run-1' })], 'its agent gave it up'],
  ['by somebody else', [on('demo/a', 'task.failed', { by: 'ada', runId: undefined })], 'ada gave it up'],
  ['by its runner', [on('demo/a', 'task.failed', nobody)], 'another attempt would fail the same way'],
  ['as no attempt is left', [...retried, on('demo/a', 'task.failed', nobody)], undefined],
  [
    'and is tried again after all',
    [on('demo/a', 'task.failed', { by: 'codex', runId: 'run-1' }), on('demo/a', 'task.reset')],
    undefined,
  ],
  [
    'as no attempt is left, of which a later run gives more',
    [...retried, on('demo/a', 'task.failed', nobody), on('demo', 'sprint.started', { maxAttempts: 5 })],
    undefined,
  ],
] as const)('says why a task that failed %s is not tried again', (_how, events, why) => {
  const sprint = new History(...begun, ...events).sprint();
  const saved = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(sprint))));
  for (const state of [sprint, saved]) {
    const { tasks } = describeSprint(state);
    const [task] = tasks;
    if (!task) throw new Error('there is no task');
    const context = { now: 0, tasks, hasRunner: true, isQueued: false, isAgentGone: false };
    const attempt = taskFacts(task, context).find(({ label }) => label === 'Attempt')?.text;
    if (why === undefined)
      expect([task.gaveUp, attempt]).toEqual([undefined, expect.not.stringContaining('not')]);
    else expect([task.gaveUp, attempt]).toEqual(Array(2).fill(expect.stringContaining(why)));
  }
});
