import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { WorktreeState } from '../../../src/machines/worktree-state.ts';
import { Git } from '../../../src/workflow/commit/git.ts';
import { takeSnapshot, WorkTreeSnapshots } from '../../../src/workflow/commit/snapshot.ts';
import { goneOf, openWorktree } from '../../../src/workflow/worktree/open-worktree.ts';
import { removeWorktree } from '../../../src/workflow/worktree/remove-worktree.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig, type TestGit } from '../../helpers/temp-repository.ts';
import { gitThat } from './landing-world.ts';

beforeEach(withoutGitConfig);

const { signal } = new AbortController();

/** A project in the folder `inside` of a repository, and the worktree of a task, whose agent has committed `a.txt`. */
async function withWorktree({ inside = '' } = {}) {
  const top = await tempRoot();
  const root = join(top, inside);
  const git = makeRepository(top);
  git.write({ 'a.txt': 'a', [join(inside, 'b.txt')]: 'b' });
  git.commitAll();
  const base = git('rev-parse', 'HEAD');
  const path = `../${basename(root)}.worktrees/demo/a`;
  const known: WorktreeState = {
    path,
    branch: 'clifford/demo/a',
    into: 'main',
    base,
    slot: 1,
    phase: 'ready',
    ...(inside === '' ? {} : { prefix: `${inside}/` }),
  };
  const folder = join(root, path);
  onTestFinished(() => rmSync(dirname(dirname(folder)), { recursive: true, force: true }));
  const project = { root, dir: join(root, '.clifford') };
  mkdirSync(project.dir, { recursive: true });
  const worktree = await openWorktree(project, known, signal);
  await worktree.add();
  const there: TestGit = gitIn(folder);
  there.write({ 'a.txt': 'by the agent' });
  there.commitAll('by the agent');
  return { git, root, project, known, folder, worktree, there };
}

it('a merge that cannot begin is said, and not taken for a conflict', async () => {
  const { git, worktree, there } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  there.write({ 'new.txt': 'in the way' });
  await expect(worktree.bringIn('main', 'Merge')).rejects.toThrow(/^git merge ended with .*new\.txt/s);
});

it('a merge in conflict is left in the files, for somebody who puts it right', async () => {
  const { git, worktree } = await withWorktree();
  git.write({ 'a.txt': 'by hand' });
  git.commitAll('meanwhile');
  await worktree.bringIn('main', 'Merge');
  expect(await worktree.undecided()).toEqual(['a.txt']);
});

it('a file in place of a worktree is named, and stays', async () => {
  const { project, known, folder, worktree } = await withWorktree();
  await worktree.remove();
  writeFileSync(folder, 'mine');
  const refused = { code: 'UNCOMMITTED', message: `${folder}, where its worktree is to be, is no folder` };
  await expect(goneOf(project, known, signal)).rejects.toMatchObject(refused);
  const dropped = { ...known, phase: 'dropped' } as const;
  const removed = removeWorktree(project, { stream: 'demo', taskId: 'a', worktree: dropped, signal });
  await expect(removed).rejects.toMatchObject(refused);
  expect(readFileSync(folder, 'utf8')).toBe('mine');
});

it.each([
  ['merged', 'merged'],
  ['given up', 'dropped'],
  ['not ready yet', 'claimed'],
] as const)(
  'the folder of a worktree that is %s and that git does not know any more stays',
  async (_, phase) => {
    const { git, project, known, folder, there } = await withWorktree();
    const sha = there('rev-parse', 'HEAD');
    git('merge', '--quiet', '--ff-only', sha);
    there.write({ 'work.txt': 'work' });
    rmSync(join(folder, '.git'));
    const worktree = { ...known, phase, merged: sha };
    const removed = removeWorktree(project, { stream: 'demo', taskId: 'a', worktree, signal });
    await expect(removed).rejects.toThrow(`git does not know the worktree ${folder} any more`);
    expect(readFileSync(join(folder, 'work.txt'), 'utf8')).toBe('work');
  },
);

it('a worktree stays where git cannot tell whether its commits are merged, and that is said', async () => {
  const { git, root, project, known, there } = await withWorktree();
  const sha = there('rev-parse', 'HEAD');
  git('merge', '--quiet', '--ff-only', sha);
  const merged = { ...known, phase: 'merged', merged: sha } as const;
  const { PATH } = await gitThat({ root }, '*" merge-base "*) echo broken >&2; exit 128 ;;');
  vi.stubEnv('PATH', PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  const removed = removeWorktree(project, { stream: 'demo', taskId: 'a', worktree: merged, signal });
  await expect(removed).rejects.toThrow('git merge-base ended with exit code 128: broken');
});

it.each([{ inside: '' }, { inside: 'below' }])(
  'files that git did not know when the work began keep no merged worktree, whatever they are called, in $inside/',
  async ({ inside }) => {
    const { git, root, project, known, folder, there } = await withWorktree({ inside });
    const workRoot = join(folder, inside);
    gitIn(workRoot).write({ 'with blank.env': 'env', 'caf\u00E9.env': 'env' });
    const place = { root: workRoot, signal, currentEdits: () => new Map(), task: 'a' };
    const snapshot = await takeSnapshot(new Git({ cwd: workRoot, env: {}, signal }), place);
    await new WorkTreeSnapshots(project.dir, 'demo').write(snapshot);
    const sha = there('rev-parse', 'HEAD');
    git('merge', '--quiet', '--ff-only', sha);
    const merged = { ...known, phase: 'merged', merged: sha } as const;
    const remove = () => removeWorktree(project, { stream: 'demo', taskId: 'a', worktree: merged, signal });
    there.write({ 'later name.txt': 'later' });
    await expect(remove()).rejects.toThrow('files in it were changed after it was merged: later name.txt');
    rmSync(join(folder, 'later name.txt'));
    expect(await remove()).toBe(sha);
    expect([existsSync(folder), existsSync(root)]).toEqual([false, true]);
  },
);
