import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commitTask } from '../../../src/workflow/commit/commit-task.ts';
import { Git } from '../../../src/workflow/git/git.ts';
import { noteFiles } from '../../../src/workflow/commit/note-files.ts';
import { takeSnapshot, WorkTreeSnapshots } from '../../../src/workflow/commit/snapshot.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { writeSprint } from '../../helpers/temp-project.ts';
import { gitThat, land, landUntil, makeWorld, type World } from './landing-world.ts';

/** A sprint that works in the project's own folder, beside one whose tasks are landed there. */
async function withOwnTask({ root, git }: Pick<World, 'root' | 'git'>) {
  await writeSprint(root, { tasks: ['a'] });
  git('add', 'sprints');
  git('commit', '--quiet', '-m', 'sprint');
  const place = { root, signal: new AbortController().signal, currentEdits: () => new Map(), task: 'a' };
  const before = await takeSnapshot(new Git({ cwd: root, env: {}, signal: place.signal }), place);
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  const key = { stream: 'demo', taskId: 'a', attempt: 1, file: 'a.md', env: {} };
  const project = { root, dir: join(root, '.clifford'), asLogged: (text: string) => text };
  return () => commitTask(project, { ...key, ...place, folder, before });
}

/** The commit of a branch on top of the one that is checked out. */
function onTop({ git }: World, sha: string): string {
  git('checkout', '--quiet', '-b', 'on-top', 'main');
  git('cherry-pick', sha);
  git('checkout', '--quiet', 'main');
  return git('rev-parse', 'on-top');
}

it.each(['read-tree', 'update-ref'] as const)(
  'a commit of a task has nothing of a landing that was ended in front of its %s',
  async (step) => {
    const world = await makeWorld();
    const { root, git, one } = world;
    const commit = await withOwnTask(world);
    await landUntil(world, onTop(world, one), step);
    git.write({ 'task.txt': 'by the task', 'mine.txt': 'by the task' });
    expect(await commit()).toMatchObject({ is: 'committed', files: ['mine.txt', 'task.txt'] });
    expect(git.status()).toEqual([]);
    expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('old');
    expect(existsSync(join(root, '.clifford/landing'))).toBe(false);
  },
);

it('a task that begins in the project’s own files finds nothing in them of a landing that was ended', async () => {
  const world = await makeWorld();
  const { root, git, one } = world;
  await landUntil(world, one, 'read-tree');
  git.write({ 'mine.txt': 'mine, too' });
  const dir = join(root, '.clifford');
  const { signal } = new AbortController();
  await noteFiles({ root, dir }, { stream: 'demo', taskId: 'a', env: {}, signal });
  expect(git.status()).toEqual([' M mine.txt']);
  const before = await new WorkTreeSnapshots(dir, 'demo').read('a');
  expect(before?.files.map(([path]) => path)).toEqual(['mine.txt']);
});

it('a landing that was ended is not undone while somebody merges: that may bring the same', async () => {
  const world = await makeWorld();
  const { root, git, one, other } = world;
  await landUntil(world, one, 'read-tree');
  const made = readFileSync(join(root, 'lines.txt'), 'utf8');
  git.write({ '.git/MERGE_HEAD': `${one}\n` });
  await expect(land(world, other)).rejects.toThrow('a merge is under way in the project');
  expect(readFileSync(join(root, 'lines.txt'), 'utf8')).toBe(made);
});

it('where what a landing has changed cannot be taken back, either, that and why it failed are said', async () => {
  const world = await makeWorld();
  const { git, one, other } = world;
  const env = await gitThat(
    world,
    `*" update-ref "*) echo 'the first' >&2; exit 1 ;;
     *" checkout-index "*) echo 'the second' >&2; exit 1 ;;`,
  );
  const landing = land(world, one, { env });
  await expect(landing).rejects.toMatchObject({ code: 'UNCOMMITTED' });
  await expect(landing).rejects.toThrow(
    /^git update-ref ended with exit code 1: the first; and undoing .* failed: git checkout-index .*: the second$/,
  );
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual([]);
});

it('what was staged of a file with a tab in its name is taken back with it', async () => {
  const world = await makeWorld();
  const { git, other } = world;
  git('checkout', '--quiet', '-b', 'tab', 'main');
  git.write({ 'a\tb.txt': 'tab' });
  git.commitAll('tab');
  git('checkout', '--quiet', 'main');
  await landUntil(world, git('rev-parse', 'tab'), 'update-ref');
  expect(await land(world, other)).toBe('landed');
  expect(git.status()).toEqual([]);
});
