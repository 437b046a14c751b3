import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Candidate } from '../../../src/machines/legality.ts';
import { hasProcessTable } from '../../../src/lib/processes/process-table.ts';
import { createProjectState, createSprintState } from '../../../src/machines/project-state.ts';
import { createTaskState } from '../../../src/machines/task-state.ts';
import type { WorktreeState } from '../../../src/machines/worktree-state.ts';
import { Git } from '../../../src/workflow/git/git.ts';
import { takeSnapshot, WorkTreeSnapshots } from '../../../src/workflow/commit/snapshot.ts';
import { goneOf, openWorktree } from '../../../src/workflow/worktree/open-worktree.ts';
import { removeWorktree } from '../../../src/workflow/worktree/remove-worktree.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig, type TestGit } from '../../helpers/temp-repository.ts';
import { gitThat } from '../landing/landing-world.ts';

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
  const state = createProjectState();
  const sprint = createSprintState('demo');
  sprint.tasks.set('a', { ...createTaskState({ id: 'a', file: 'a.md' }), worktree: known });
  state.streams.set('demo', sprint);
  const facts: Candidate[] = [];
  const record = async (_: string, said: readonly Candidate[]) => {
    facts.push(...said);
    return [];
  };
  const project = { root, dir: join(root, '.clifford'), state, record };
  mkdirSync(project.dir, { recursive: true });
  const worktree = await openWorktree(project, { stream: 'demo', taskId: 'a', worktree: known }, signal);
  await worktree.add();
  const there: TestGit = gitIn(folder);
  there.write({ 'a.txt': 'by the agent' });
  there.commitAll('by the agent');
  return { git, root, project, known, folder, worktree, there, facts };
}

it('a merge that cannot begin is said, and not taken for a conflict', async () => {
  const { git, worktree, there } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  there.write({ 'new.txt': 'in the way' });
  await expect(worktree.merge.bringIn('main', 'Merge')).rejects.toThrow(/^git merge ended with .*new\.txt/s);
});

it('a merge whose checkout was killed leaves none of its files, and is made again', async () => {
  const { git, folder, worktree, there } = await withWorktree();
  git.write({ 'made/new.txt': 'new', 'made/more.txt': 'more' });
  git.commitAll('meanwhile');
  there.write({ 'mine.txt': 'mine' });
  const bin = await tempRoot();
  const kill = `mkdir made; printf n > made/new.txt; printf more > made/more.txt; kill -9 $$`;
  const path = process.env['PATH'] ?? '';
  const script = `#!/bin/sh\nPATH='${path}'\ncase "$*" in *"checkout --quiet --detach "*) ${kill} ;; esac\nexec git "$@"\n`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${path}`);
  await expect(worktree.merge.into('main', 'Merge')).rejects.toThrow('SIGKILL');
  vi.unstubAllEnvs();
  expect(there.status()).toContain('?? made/more.txt');
  await worktree.recover();
  expect(there.status()).toEqual(['?? mine.txt']);
  expect(await worktree.merge.into('main', 'Merge')).toMatchObject({ is: 'merged', isNew: true });
  expect(existsSync(join(folder, 'made/new.txt'))).toBe(true);
});

it('what stood in the way of a merge before it began stays', async () => {
  const { git, folder, worktree, there } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  there.write({ 'new.txt': 'mine' });
  await expect(worktree.merge.into('main', 'Merge')).rejects.toThrow('new.txt');
  await worktree.recover();
  expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('mine');
});

/** What the log says of what is kept: the text of each, and what is in its commit. */
function keptOf({ facts, git }: Pick<Awaited<ReturnType<typeof withWorktree>>, 'facts' | 'git'>) {
  return facts.flatMap(({ type, data }) =>
    type === 'worktree.kept' ? [{ why: data.why, show: git('show', '--format=', data.ref) }] : [],
  );
}

it('what somebody makes where a merge is checked out is kept, and the merge itself is not', async () => {
  const { git, worktree, there, folder, facts } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  await worktree.merge.into('main', 'Merge');
  await worktree.recover();
  expect(facts).toEqual([]);
  await worktree.merge.into('main', 'Merge');
  there.write({ 'new.txt': 'committed by hand' });
  there('commit', '--quiet', '-am', 'By hand');
  there.write({ 'b.txt': 'staged by hand' });
  there('add', 'b.txt');
  there.write({ 'b.txt': 'by hand', 'a.txt': 'by hand', 'mine.txt': 'mine' });
  await worktree.recover();
  expect(there.status()).toEqual(['?? mine.txt']);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('by the agent');
  expect(keptOf({ facts, git })).toEqual([
    {
      why: 'commits in its worktree were on no branch',
      show: expect.stringContaining('+committed by hand'),
    },
    {
      why: '2 files (a.txt, b.txt) had changes in its worktree that no commit had',
      show: expect.stringMatching(/\+by hand.*\+by hand/s),
    },
    {
      why: '1 file (b.txt) had staged changes that no commit had',
      show: expect.stringContaining('+staged by hand'),
    },
  ]);
  expect(git('for-each-ref', '--format=%(refname)', 'refs/clifford').split('\n')).toEqual(
    [1, 2, 3].map((number) => `refs/clifford/kept/demo/a/${number}`),
  );
});

it('what is kept is called as nothing was before, also where somebody has forgotten that', async () => {
  const { git, worktree, there, facts, project } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  const task = project.state.streams.get('demo')?.tasks.get('a');
  const keep = async (text: string) => {
    await worktree.merge.into('main', 'Merge');
    there.write({ 'b.txt': text });
    await worktree.recover();
    if (task) task.kept = facts.flatMap(({ type, data }) => (type === 'worktree.kept' ? [data] : []));
  };
  await keep('first');
  git('update-ref', '-d', 'refs/clifford/kept/demo/a/1');
  await keep('second');
  expect(task?.kept?.map(({ ref }) => ref)).toEqual(
    [1, 2].map((number) => `refs/clifford/kept/demo/a/${number}`),
  );
  expect(git('show', '--format=', 'refs/clifford/kept/demo/a/2')).toContain('+second');
});

it('nothing is destroyed where it cannot be kept', async () => {
  const { git, root, worktree, there } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  await worktree.merge.into('main', 'Merge');
  there.write({ 'b.txt': 'by hand' });
  const { PATH } = await gitThat({ root }, '*" commit-tree "*) echo no space >&2; exit 128 ;;');
  vi.stubEnv('PATH', PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(worktree.recover()).rejects.toThrow('git commit-tree ended with exit code 128: no space');
  vi.unstubAllEnvs();
  expect(there.status()).toEqual([' M b.txt']);
});

it('a worktree that is given up leaves what no commit has, and a submodule keeps it from going', async () => {
  const { git, project, known, folder, there, facts } = await withWorktree();
  there.write({ 'b.txt': 'by hand', 'mine.txt': 'mine' });
  const dropped = { stream: 'demo', taskId: 'a', worktree: { ...known, phase: 'dropped' } } as const;
  makeRepository(join(folder, 'nested')).commitAll();
  const remove = () => removeWorktree(project, { ...dropped, signal });
  await expect(remove()).rejects.toThrow('nested/ would be lost, a repository of its own');
  rmSync(join(folder, 'nested'), { recursive: true });
  await remove();
  expect(existsSync(folder)).toBe(false);
  expect(keptOf({ facts, git })).toEqual([
    {
      why: '2 files (b.txt, mine.txt) had changes in its worktree that no commit had',
      show: expect.stringMatching(/\+by hand.*\+mine/s),
    },
  ]);
});

it('a merge of Clifford that came to nothing is not kept when the worktree goes', async () => {
  const { git, project, known, worktree, facts } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  await worktree.merge.into('main', 'Merge\n\nClifford-Sprint: demo\nClifford-Merge: a');
  await worktree.recover();
  // What was merged into is named by nothing, either, and is nobody's work there.
  git('commit', '--quiet', '--amend', '-m', 'once more');
  const dropped = { stream: 'demo', taskId: 'a', worktree: { ...known, phase: 'dropped' } } as const;
  await removeWorktree(project, { ...dropped, signal });
  expect(facts).toEqual([]);
});

it('a merge of Clifford that somebody has amended is kept', async () => {
  const { git, project, known, worktree, there, facts } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  await worktree.merge.into('main', 'Merge\n\nClifford-Sprint: demo\nClifford-Merge: a');
  there.write({ 'new.txt': 'put right by hand' });
  there('commit', '--quiet', '-a', '--amend', '--no-edit');
  await worktree.recover();
  const dropped = { stream: 'demo', taskId: 'a', worktree: { ...known, phase: 'dropped' } } as const;
  await removeWorktree(project, { ...dropped, signal });
  expect(keptOf({ facts, git })[0]?.show).toContain('+put right by hand');
  expect(git('for-each-ref', '--format=%(refname)', 'refs/clifford')).toBe('refs/clifford/kept/demo/a/1');
});

it('a commit is kept of which the reflog has no word', async () => {
  const { git, project, known, there, facts } = await withWorktree();
  there('checkout', '--quiet', '--detach');
  there.write({ 'mine.txt': 'mine' });
  there('add', 'mine.txt');
  there('update-ref', 'HEAD', there('commit-tree', '-p', 'HEAD', '-m', 'by hand', there('write-tree')));
  there('switch', '--quiet', known.branch);
  const dropped = { stream: 'demo', taskId: 'a', worktree: { ...known, phase: 'dropped' } } as const;
  await removeWorktree(project, { ...dropped, signal });
  expect(keptOf({ facts, git }).map(({ show }) => show)).toEqual([expect.stringContaining('+mine')]);
});

it('commits of a worktree in which none is checked out any more keep it from going', async () => {
  const { git, project, known, folder, there, facts } = await withWorktree();
  there('checkout', '--quiet', '--detach');
  there.write({ 'mine.txt': 'mine' });
  there.commitAll('on no branch');
  there('switch', '--quiet', '--orphan', 'other');
  const dropped = { stream: 'demo', taskId: 'a', worktree: { ...known, phase: 'dropped' } } as const;
  await expect(removeWorktree(project, { ...dropped, signal })).rejects.toThrow(/no commit is checked out/);
  there('switch', '--quiet', known.branch);
  await removeWorktree(project, { ...dropped, signal });
  expect(keptOf({ facts, git }).map(({ show }) => show)).toEqual([expect.stringContaining('+mine')]);
  expect(existsSync(folder)).toBe(false);
});

it('a worktree in which no commit is checked out stays, with what is in it', async () => {
  const { project, known, folder, there } = await withWorktree();
  there('checkout', '--quiet', '--orphan', 'other');
  there.write({ 'mine.txt': 'mine' });
  const dropped = { stream: 'demo', taskId: 'a', worktree: { ...known, phase: 'dropped' } } as const;
  await expect(removeWorktree(project, { ...dropped, signal })).rejects.toThrow(
    /mine.txt.* would be lost, and no commit/,
  );
  expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
});

it('the branch of a merged task stays where the one that it was merged into was reset since', async () => {
  const { git, project, known, there } = await withWorktree();
  const sha = there('rev-parse', 'HEAD');
  git('merge', '--quiet', '--ff-only', sha);
  git('reset', '--quiet', '--hard', 'HEAD~1');
  const merged = { ...known, phase: 'merged', merged: sha } as const;
  const removed = removeWorktree(project, { stream: 'demo', taskId: 'a', worktree: merged, signal });
  await expect(removed).rejects.toThrow('its branch clifford/demo/a has commits that main has not');
  expect(git('rev-parse', 'clifford/demo/a')).toBe(sha);
});

it('a merged worktree goes, though a run was killed on its way back from the merge', async () => {
  const { git, root, project, known, folder, worktree, facts } = await withWorktree();
  git.write({ 'new.txt': 'new' });
  git.commitAll('meanwhile');
  const made = await worktree.merge.into('main', 'Merge');
  const sha = made.is === 'merged' ? made.sha : '';
  git('merge', '--quiet', '--ff-only', sha);
  const { PATH } = await gitThat({ root }, '*"checkout --quiet --force "*) kill -9 $$ ;;');
  vi.stubEnv('PATH', PATH);
  await expect(worktree.recover()).rejects.toThrow('SIGKILL');
  vi.unstubAllEnvs();
  // Its files are those of neither.
  expect(existsSync(join(folder, 'new.txt'))).toBe(false);
  const merged = { ...known, phase: 'merged', merged: sha } as const;
  await removeWorktree(project, { stream: 'demo', taskId: 'a', worktree: merged, signal });
  expect(existsSync(folder)).toBe(false);
  expect(facts).toEqual([]);
});

it.runIf(hasProcessTable)('a lock of git stays while a git is at work in the worktree', async () => {
  const { worktree, folder, there } = await withWorktree();
  const lock = there('rev-parse', '--git-path', 'index.lock');
  writeFileSync(lock, '');
  const git = spawn('git', ['cat-file', '--batch'], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
  await once(git, 'spawn');
  await worktree.removeLocks();
  expect(existsSync(lock)).toBe(true);
  git.stdin.end();
  await once(git, 'exit');
  await worktree.removeLocks();
  expect(existsSync(lock)).toBe(false);
});

it('the lock that a git has left which was killed when it made the branch is removed', async () => {
  const { git, root, worktree } = await withWorktree();
  await worktree.remove();
  git('update-ref', '-d', 'refs/heads/clifford/demo/a');
  git.write({ '.git/refs/heads/clifford/demo/a.lock': '' });
  await worktree.add();
  expect(await worktree.isThere()).toBe(true);
  expect(existsSync(join(root, '.git/refs/heads/clifford/demo/a.lock'))).toBe(false);
});

it('a merge in conflict is left in the files, for somebody who puts it right', async () => {
  const { git, worktree, there } = await withWorktree();
  git.write({ 'a.txt': 'by hand' });
  git.commitAll('meanwhile');
  const ours = there('show', 'HEAD:a.txt');
  await worktree.merge.bringIn('main', 'Merge');
  expect(await worktree.merge.undecided()).toEqual(['a.txt']);
  // Git may have put either side there by itself, and nobody has looked; what both began with it never does.
  for (const [text, undecided] of [
    [ours, ['a.txt']],
    ['by hand', ['a.txt']],
    ['a', []],
    ['both', []],
  ] as const) {
    there.write({ 'a.txt': text });
    expect(await worktree.merge.undecided()).toEqual(undecided);
  }
});

it('is asked for its branch by advice that can be followed: during a rebase, and on one that has nothing of it', async () => {
  const { worktree, there } = await withWorktree();
  there.write({ 'a.txt': 'one' });
  there.commitAll('one');
  there.write({ 'a.txt': 'two' });
  there.commitAll('two');
  expect(() => there('rebase', '--onto', 'HEAD~2', 'HEAD~1')).toThrow('could not apply');
  await expect(worktree.recover()).rejects.toMatchObject({
    message: 'a rebase is under way in its worktree',
    fix: 'End it there: git status says how',
  });
  there('rebase', '--abort');
  await worktree.recover();
  there('switch', '--quiet', '--orphan', 'fresh');
  there.write({ 'fresh.txt': 'fresh' });
  there.commitAll('fresh');
  const sha = there('rev-parse', 'HEAD').slice(0, 12);
  await expect(worktree.recover()).rejects.toMatchObject({
    fix: `Bring it onto the branch there with: git switch clifford/demo/a && git merge --allow-unrelated-histories ${sha}`,
  });
  there('switch', '--quiet', 'clifford/demo/a');
  there('merge', '--quiet', '--allow-unrelated-histories', sha);
  await worktree.recover();
});

it('a file in place of a worktree is named, and stays', async () => {
  const { project, known, folder, worktree } = await withWorktree();
  await worktree.remove();
  writeFileSync(folder, 'mine');
  const refused = { code: 'UNCOMMITTED', message: `${folder}, where its worktree is to be, is no folder` };
  await expect(
    goneOf(project, { stream: 'demo', taskId: 'a', worktree: known }, signal),
  ).rejects.toMatchObject(refused);
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

/** A worktree of a task that was given up, whose branch git has packed. */
async function dropped() {
  const world = await withWorktree();
  world.git('pack-refs', '--all');
  const worktree = { ...world.known, phase: 'dropped' } as const;
  const remove = () => removeWorktree(world.project, { stream: 'demo', taskId: 'a', worktree, signal });
  return { ...world, remove, branches: () => world.git('branch', '--format=%(refname:short)') };
}

it('a branch that git cannot remove is not said to be removed, and goes the next time', async () => {
  const { git, folder, remove, branches } = await dropped();
  git.write({ '.git/packed-refs.lock': '' });
  await expect(remove()).rejects.toThrow(/^git update-ref ended with .*packed-refs\.lock/s);
  expect([existsSync(folder), branches()]).toEqual([false, 'clifford/demo/a\nmain']);
  rmSync(join(git('rev-parse', '--absolute-git-dir'), 'packed-refs.lock'));
  await remove();
  expect(branches()).toBe('main');
});

it('locks that a git has left which was killed when it removed a branch are removed', async () => {
  const { root, git, remove, branches } = await dropped();
  const [once, locks] = [
    join(root, '.clifford/killed'),
    ['packed-refs.lock', 'refs/heads/clifford/demo/a.lock'].map((name) => join(root, '.git', name)),
  ];
  const leave = locks.map((lock) => `mkdir -p '${dirname(lock)}'; : > '${lock}'`).join('; ');
  const env = await gitThat(
    { root },
    `*"update-ref -d"*) [ -e '${once}' ] || { : > '${once}'; ${leave}; exit 137; } ;;`,
  );
  vi.stubEnv('PATH', env.PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  const tip = git('rev-parse', 'clifford/demo/a');
  expect(await remove()).toBe(tip);
  expect(branches()).toBe('main');
  expect([existsSync(once), ...locks.map((lock) => existsSync(lock))]).toEqual([true, false, false]);
});
