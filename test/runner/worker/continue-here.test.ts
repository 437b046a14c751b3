import { expect, it } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { continueHere } from '../../../src/runner/worker/continue-here.ts';
import { CliffordError } from '../../../src/errors.ts';
import { noteFiles } from '../../../src/workflow/commit/note-files.ts';
import { WorkTreeSnapshots } from '../../../src/workflow/commit/snapshot.ts';
import { noteClaim, noteRun } from '../../../src/workflow/worktree/worktree-claims.ts';
import { on } from '../../helpers/history.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { makeRepository } from '../../helpers/temp-repository.ts';

it.each([
  ['alone', 'main', []],
  ['where other work is lost and done again', '0'.repeat(40), ['work.lost demo/a', 'task.reopened demo/a']],
])('what another worker had pushed is merged again: %s', async (_, commit, lost) => {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a', 'b'] });
  const git = makeRepository(root);
  git.commitAll();
  git('checkout', '-q', '-b', 'of-helper');
  git.write({ 'b.txt': 'b' });
  git.commitAll('b');
  const sha = git('rev-parse', 'HEAD');
  git('checkout', '-q', 'main');
  const done = (task: string): Candidate[] => [
    on(`${stream}/${task}`, 'task.started', { attempt: 1 }),
    on(`${stream}/${task}`, 'task.completed'),
  ];
  const helper = { worker: 'helper' };
  await project.record(stream, [
    on(stream, 'sprint.started'),
    ...done('a'),
    on(`${stream}/a`, 'task.committed', { sha: git('rev-parse', commit), files: ['a.txt'], attempt: 1 }),
    on(`${stream}/b`, 'offer.made', { worker: 'owner' }),
    on(`${stream}/b`, 'offer.taken', helper),
    ...done('b'),
    on(`${stream}/b`, 'offer.ended', { ...helper, outcome: 'done', reason: 'completed', sha }),
    on(`${stream}/b`, 'worktree.claimed'),
    on(`${stream}/b`, 'worktree.merged', { sha: '1'.repeat(40) }),
  ]);
  const sprint = project.state.streams.get(stream);
  if (!sprint) throw new Error('no sprint');
  const { signal } = new AbortController();
  // Of a worktree which this machine had of it before: the commit made of that in this folder would have nothing in it.
  await noteFiles(project, { env: {}, signal, stream, taskId: 'b' });
  await continueHere(project, {
    sprint,
    worker: 'next',
    env: process.env,
    signal,
    wantsCommit: () => true,
    again: 'ada',
  });
  const said = (await eventsOf(project)).map(({ type, subject }) => `${type} ${subject}`);
  expect(said.slice(said.indexOf('worktree.merged demo/b') + 1)).toEqual([...lost, 'offer.unmerged demo/b']);
  expect(await new WorkTreeSnapshots(project.dir, stream).tasks()).toEqual([]);
});

it.each([
  ['run-1', undefined],
  ['run-0', 'WORK_MISSING'],
])('what was done and has no commit is here where its last attempt ran here: %s', async (ranHere, code) => {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  makeRepository(root).commitAll();
  const { signal } = new AbortController();
  await noteFiles(project, { env: {}, signal, stream, taskId: 'a' });
  await noteRun(project, ranHere);
  await project.record(stream, [
    on(stream, 'sprint.started'),
    on(`${stream}/a`, 'task.started', { attempt: 1, runId: 'run-1' }),
    on(`${stream}/a`, 'agent.started', { attempt: 1, runId: 'run-1' }),
    on(`${stream}/a`, 'task.completed', { runId: 'run-1' }),
  ]);
  const sprint = project.state.streams.get(stream);
  if (!sprint) throw new Error('no sprint');
  const how = { sprint, worker: 'next', env: process.env, signal, wantsCommit: () => true, again: undefined };
  const problem = await continueHere(project, how).catch((error: unknown) => error);
  expect(problem instanceof CliffordError ? problem.code : problem).toBe(code);
});

it('what an agent has made of a conflict with another worker’s commit, in a worktree that is here, is merged from there', async () => {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  const git = makeRepository(root);
  git.commitAll();
  git('checkout', '-q', '-b', 'of-helper');
  git.write({ 'a.txt': 'a' });
  git.commitAll('a');
  const sha = git('rev-parse', 'HEAD');
  git.write({ 'a.txt': 'a and b' });
  git.commitAll('resolved');
  const resolved = git('rev-parse', 'HEAD');
  git('checkout', '-q', 'main');
  const helper = { worker: 'helper' };
  await project.record(stream, [
    on(stream, 'sprint.started'),
    on(`${stream}/a`, 'offer.made', { worker: 'owner' }),
    on(`${stream}/a`, 'offer.taken', helper),
    on(`${stream}/a`, 'task.started', { attempt: 1 }),
    on(`${stream}/a`, 'task.completed'),
    on(`${stream}/a`, 'offer.ended', { ...helper, outcome: 'done', reason: 'completed', sha }),
    { ...on(`${stream}/a`, 'worktree.claimed', { path: '.' }), id: await noteClaim(project) },
    on(`${stream}/a`, 'task.reopened'),
    on(`${stream}/a`, 'task.started', { attempt: 2 }),
    on(`${stream}/a`, 'task.completed'),
    on(`${stream}/a`, 'task.committed', { sha: resolved, files: ['a.txt'], attempt: 2 }),
  ]);
  const sprint = project.state.streams.get(stream);
  if (!sprint) throw new Error('no sprint');
  const before = sprint.version;
  const { signal } = new AbortController();
  const how = {
    sprint,
    worker: 'owner',
    env: process.env,
    signal,
    wantsCommit: () => true,
    again: undefined,
  };
  await continueHere(project, how);
  expect((await eventsOf(project)).slice(before).map(({ type }) => type)).toEqual([]);
});

it.each([
  [
    'that could not begin in the folder of another worker is taken back',
    false,
    'landing',
    ['help.dismissed'],
  ],
  ['in a worktree of another machine is taken back', true, 'conflict', ['help.dismissed']],
  ['of what that machine alone has stays', true, 'landing', []],
] as const)('a question about a merge %s', async (_, hasWorktree, why, types) => {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  const git = makeRepository(root);
  git.commitAll();
  const helper = { worker: 'helper' };
  const requestId = 'q-1';
  const sha = git('rev-parse', 'HEAD');
  await project.record(stream, [
    on(stream, 'sprint.started'),
    on(`${stream}/a`, 'offer.made', { worker: 'owner' }),
    on(`${stream}/a`, 'offer.taken', helper),
    on(`${stream}/a`, 'task.started', { attempt: 1 }),
    on(`${stream}/a`, 'task.completed'),
    on(`${stream}/a`, 'offer.ended', { ...helper, outcome: 'done', reason: 'completed', sha }),
    ...(hasWorktree ? [on(`${stream}/a`, 'worktree.claimed')] : []),
    on(stream, 'help.requested', { requestId, task: 'a' }),
    on(`${stream}/a`, 'worktree.stuck', { requestId, why, reason: 'HEAD is detached' }),
  ]);
  const sprint = project.state.streams.get(stream);
  if (!sprint) throw new Error('no sprint');
  const before = sprint.version;
  const { signal } = new AbortController();
  const how = { sprint, worker: 'next', env: process.env, signal, wantsCommit: () => true, again: undefined };
  await continueHere(project, how);
  expect((await eventsOf(project)).slice(before).map(({ type }) => type)).toEqual(types);
});
