import { expect, it } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { placeLabel, whoHasWork } from '../../../src/runner/worker/who-has-work.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

const there = placeLabel;
const taken = (worker: string) => on('demo', 'job.taken', { worker });
const task = 'demo/a';
const offered = [on(task, 'offer.made', { worker: 'one' }), on(task, 'offer.taken', { worker: 'two' })];
const completed = [on(task, 'task.started', { attempt: 1 }), on(task, 'task.completed')];
const ended = on(task, 'offer.ended', { worker: 'two', outcome: 'done', reason: 'completed', sha: 'c' });

it.each<[string, string | undefined, readonly Candidate[]]>([
  ['of the worker that had the sprint', 'one', completed],
  ['of the worker that had taken the task', 'two', [...offered, ...completed]],
  ['of the one that merged it', 'one', [...offered, ...completed, ended, on(task, 'worktree.claimed')]],
  [
    'of nobody where it was done by hand',
    undefined,
    [on('demo', 'job.returned', { worker: 'one', unfit: undefined }), ...completed],
  ],
])('what was made of a task is on the machine %s', async (_, owner, past) => {
  const { project, stream } = await projectWithSprint({ tasks: ['a'] });
  await project.record(stream, [taken('one'), on('demo', 'sprint.started'), ...past]);
  const find = (worker: string, labels: readonly string[]) =>
    whoHasWork(project, {
      queue: {
        withoutWorker: async (jobs) =>
          jobs.filter(({ needs }) => !needs.every((need) => labels.includes(need))),
      },
      stream,
      needs: ['gpu'],
      tasks: ['a'],
      worker,
    });
  expect(await find('next', [there('one'), there('two'), 'gpu'])).toBe(owner);
  expect(await find('next', [])).toBeUndefined();
  // What the sprint needs, that machine lacks.
  expect(await find('next', [there('one'), there('two')])).toBeUndefined();
  // It lacks that itself, or nobody has it.
  expect(await find(owner ?? 'one', [there('one'), there('two'), 'gpu'])).toBeUndefined();
});

it('what was made is with the worker that made it, also once that was started anew, and not with another one of its machine', async () => {
  const { project, stream } = await projectWithSprint({ tasks: ['a'] });
  const machine = '3f9a2c07be51';
  const [one, oneAnew, two] = [`w, 1/${machine}aaaaaa`, `w, 1/${machine}bbbbbb`, `w2/${machine}cccccc`];
  await project.record(stream, [taken(one), on('demo', 'sprint.started'), ...completed]);
  const find = (worker: string, other: string) =>
    whoHasWork(project, {
      queue: {
        withoutWorker: async (jobs) => jobs.filter(({ needs }) => !needs.includes(placeLabel(other))),
      },
      stream,
      needs: [],
      tasks: ['a'],
      worker,
    });
  expect([await find(two, oneAnew), await find(two, two), await find(oneAnew, one)]).toEqual([
    one,
    undefined,
    undefined,
  ]);
  expect(placeLabel(one)).not.toContain(',');
});

it('what was made of several tasks is on no machine where it is on two: neither could go on', async () => {
  const { project, stream } = await projectWithSprint({ tasks: ['a', 'b'] });
  const by = (worker: string, id: string) => [
    taken(worker),
    on('demo', 'sprint.started'),
    on(`demo/${id}`, 'task.started', { attempt: 1 }),
    on(`demo/${id}`, 'task.completed'),
    on('demo', 'job.returned', { worker, unfit: undefined }),
  ];
  await project.record(stream, [...by('one', 'a'), ...by('two', 'b')]);
  const find = (tasks: readonly string[]) =>
    whoHasWork(project, {
      queue: { withoutWorker: async () => [] },
      stream,
      needs: [],
      tasks,
      worker: 'next',
    });
  expect([await find(['a']), await find(['b']), await find(['a', 'b'])]).toEqual(['one', 'two', undefined]);
});
