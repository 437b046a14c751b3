import { expect, it, vi } from 'vitest';
import { withdrawOffer } from '../../../src/runner/jobs/share-jobs.ts';
import type { Sharing } from '../../../src/runner/jobs/sharing.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { on } from '../../helpers/history.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** The owner of a sprint that has left its task `a` to others, and what it takes out of the queue. */
async function offering() {
  const { root, project } = await projectWithSprint();
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  const remove = vi.fn<Sharing['remove']>(() => Promise.resolve());
  const unused = () => Promise.reject(new Error('it is not to be asked for'));
  const sharing: Sharing = {
    worker: 'owner',
    needsOf: () => [],
    push: unused,
    fetch: unused,
    add: unused,
    remove,
  };
  await project.record('demo', [on('demo/a', 'offer.made', { worker: 'owner', base: 'base', needs: [] })]);
  const phase = () => project.state.streams.get('demo')?.tasks.get('a')?.offer?.phase;
  return { project, remove, phase, withdraw: () => withdrawOffer({ project, folder, sharing }, 'a') };
}

it('a task that nobody has taken is taken back, out of the queue as well', async () => {
  const { remove, phase, withdraw } = await offering();
  await withdraw();
  expect(phase()).toBeUndefined();
  expect(remove).toHaveBeenCalledWith('a');
});

it('one that somebody has taken by then is left alone: out of the queue its work would be ended', async () => {
  const { project, remove, phase, withdraw } = await offering();
  await project.record('demo', [on('demo/a', 'offer.taken', { worker: 'helper', branch: 'a' })]);
  await withdraw();
  expect(phase()).toBe('taken');
  expect(remove).not.toHaveBeenCalled();
});

it('with it goes what an agent has left with a worker that was gone before it was verified: other files would be verified for it here', async () => {
  const { project, phase, withdraw } = await offering();
  const run = { attempt: 1, runId: 'run-1' };
  await project.record('demo', [
    on('demo', 'sprint.started'),
    on('demo/a', 'offer.taken', { worker: 'helper', branch: 'a' }),
    on('demo/a', 'task.started', { ...run, done: 'exit-0' }),
    on('demo/a', 'agent.started', run),
    on('demo/a', 'agent.exited', { runId: 'run-1', code: 0, signal: null }),
    on('demo/a', 'offer.taken', { worker: 'next', branch: 'a-2' }),
    on('demo/a', 'offer.returned', { worker: 'next', reason: 'it may not' }),
  ]);
  await withdraw();
  expect(phase()).toBeUndefined();
  const said = (await eventsOf(project)).slice(-2);
  expect(said.map(({ type, data }) => [type, data])).toMatchObject([
    ['agent.lost', { runId: 'run-1' }],
    ['offer.withdrawn', {}],
  ]);
});
