import { expect, it, vi } from 'vitest';
import { withdrawOffer } from '../../../src/runner/jobs/share-jobs.ts';
import type { Sharing } from '../../../src/runner/jobs/sharing.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { on } from '../../helpers/history.ts';
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
