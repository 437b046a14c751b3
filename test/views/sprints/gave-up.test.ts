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
  [
    'by its agent',
    [on('demo/a', 'task.failed', { by: 'codex', runId: 'run-1' })],
    '1/2, 1 failed, not tried again: its agent gave it up',
  ],
  [
    'by somebody else',
    [on('demo/a', 'task.failed', { by: 'ada', runId: undefined })],
    '1/2, 1 failed, not tried again: ada gave it up',
  ],
  [
    'by its runner',
    [on('demo/a', 'task.failed', nobody)],
    '1/2, 1 failed, not tried again, as another attempt would fail the same way',
  ],
  ['as no attempt is left', [...retried, on('demo/a', 'task.failed', nobody)], '2/2, 2 failed'],
  [
    'and is tried again after all',
    [on('demo/a', 'task.failed', { by: 'codex', runId: 'run-1' }), on('demo/a', 'task.reset')],
    '1/2',
  ],
  [
    'as no attempt is left, where it was given up before',
    [
      on('demo/a', 'task.failed', { by: 'codex', runId: 'run-1' }),
      on('demo/a', 'task.reset'),
      on('demo/a', 'task.started', { attempt: 2, runId: 'run-3' }),
      on('demo/a', 'task.retried', { attempt: 3 }),
      on('demo/a', 'task.started', { attempt: 3, runId: 'run-4' }),
      on('demo/a', 'task.failed', nobody),
    ],
    '#3, 2 failed',
  ],
  [
    'as no attempt is left, of which a later run gives more',
    [...retried, on('demo/a', 'task.failed', nobody), on('demo', 'sprint.started', { maxAttempts: 5 })],
    '2/5, 2 failed',
  ],
] as const)('says why a task that failed %s is not tried again', (_how, events, attempt) => {
  const sprint = new History(...begun, ...events).sprint();
  const saved = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(sprint))));
  const context = { now: 0, hasRunner: true, isQueued: false, isAgentGone: false };
  const said = [sprint, saved].map((state) => {
    const { tasks } = describeSprint(state);
    return tasks.flatMap((task) => taskFacts(task, { ...context, tasks }));
  });
  expect(said.map((facts) => facts.find(({ label }) => label === 'Attempt')?.text)).toEqual([
    attempt,
    attempt,
  ]);
});
