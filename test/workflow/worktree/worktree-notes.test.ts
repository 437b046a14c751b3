import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createProjectState, createSprintState } from '../../../src/machines/project-state.ts';
import { createTaskState } from '../../../src/machines/task-state.ts';
import type { WorktreeState } from '../../../src/machines/worktree-state.ts';
import { openWorktree } from '../../../src/workflow/worktree/open-worktree.ts';
import { removeWorktree } from '../../../src/workflow/worktree/remove-worktree.ts';
import { withWorktreesLock } from '../../../src/workflow/worktree/worktrees-lock.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

const { signal } = new AbortController();

/** What git writes first of all that it notes of a worktree, in this order. */
const NOTES = ['locked', 'gitdir', 'HEAD', 'commondir'] as const;

/** A project whose log knows the worktree of task `a`, and what git has noted of it when it was ended. */
async function halfMade({ without = [], empty = [] }: { without?: string[]; empty?: string[] }) {
  const root = await tempRoot();
  const git = makeRepository(root);
  git.write({ 'a.txt': 'a' });
  git.commitAll();
  const base = git('rev-parse', 'HEAD');
  const path = `../${basename(root)}.worktrees/demo/a`;
  const branch = 'clifford/demo/a';
  const known: WorktreeState = { path, branch, into: 'main', base, slot: 1, phase: 'claimed' };
  const folder = join(root, path);
  onTestFinished(() => rmSync(dirname(dirname(folder)), { recursive: true, force: true }));
  const state = createProjectState();
  const sprint = createSprintState('demo');
  sprint.tasks.set('a', { ...createTaskState({ id: 'a', file: 'a.md' }), worktree: known });
  state.streams.set('demo', sprint);
  const project = { root, dir: join(root, '.clifford'), state, record: async () => [] };
  mkdirSync(project.dir, { recursive: true });
  const write = (name: string, place: string) => {
    const notes = join(root, '.git/worktrees', name);
    mkdirSync(notes, { recursive: true });
    const texts = { locked: 'initializing', gitdir: join(place, '.git\n'), HEAD: base, commondir: '../..\n' };
    for (const file of NOTES)
      if (!without.includes(file)) writeFileSync(join(notes, file), empty.includes(file) ? '' : texts[file]);
    return notes;
  };
  const makeAnew = async () => {
    const worktree = await openWorktree(project, { stream: 'demo', taskId: 'a', worktree: known }, signal);
    await withWorktreesLock(
      project,
      async () => {
        await worktree.remove();
        await worktree.add();
      },
      signal,
    );
    return worktree.isThere();
  };
  return { root, git, folder, project, known, write, makeAnew };
}

it.each([
  { empty: ['commondir'] },
  { empty: ['HEAD', 'commondir'] },
  { without: ['commondir'] },
  { empty: ['gitdir'] },
  { without: ['gitdir', 'HEAD', 'commondir'] },
  { without: ['HEAD', 'commondir'] },
  { empty: ['HEAD'] },
  { empty: [...NOTES] },
])('a worktree is made anew where git was ended in its making, and has left %o', async (how) => {
  const { root, git, folder, write, makeAnew } = await halfMade(how);
  const notes = write('a', folder);
  expect(await makeAnew()).toBe(true);
  expect(git('-C', folder, 'status', '--porcelain')).toBe('');
  expect(git('branch', '--format=%(refname:short)')).toBe('clifford/demo/a\nmain');
  // Nothing is left of the first try: git would have taken another name.
  expect(readFileSync(join(folder, '.git'), 'utf8')).toBe(`gitdir: ${notes}\n`);
  expect(existsSync(join(root, '.git/worktrees/a1'))).toBe(false);
});

it('the work in a worktree whose notes are empty since the power was cut stays', async () => {
  const { git, folder, project, makeAnew } = await halfMade({});
  await makeAnew();
  const there = gitIn(folder);
  there.write({ 'a.txt': 'work' });
  writeFileSync(there('rev-parse', '--absolute-git-dir').concat('/commondir'), '');
  expect(() => git('branch')).toThrow('commondir');
  await withWorktreesLock(project, () => Promise.resolve(), signal);
  expect(git('branch', '--format=%(refname:short)')).toBe('clifford/demo/a\nmain');
  expect(there.status()).toEqual([' M a.txt']);
});

it('empty notes of a worktree of somebody’s are named, by doctor, too, and stay', async () => {
  const { root, write, makeAnew } = await halfMade({ empty: ['commondir'] });
  const file = join(write('a', join(root, '../somebody/a')), 'commondir');
  const message = `git fails at all worktrees and branches of the repository, since ${file} is empty`;
  const fix = `Write it anew with: echo ../.. > ${file}`;
  await expect(makeAnew()).rejects.toMatchObject({ code: 'UNCOMMITTED', message, fix });
  expect(readFileSync(file, 'utf8')).toBe('');
  const { code, out } = await clifford(['doctor', '--json'], { cwd: root });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    checks: expect.arrayContaining([{ name: 'worktrees', status: 'broken', text: message, fix }]),
  });
  writeFileSync(file, '../..\n');
  expect(await makeAnew()).toBe(true);
});

it('notes without a place stay where no task has a worktree of that name, or something was checked out', async () => {
  const { folder, write, makeAnew } = await halfMade({ without: ['gitdir'] });
  const [other, used] = [write('ab', folder), write('a2', folder)];
  writeFileSync(join(used, 'index'), '');
  expect(await makeAnew()).toBe(true);
  expect([existsSync(other), existsSync(used)]).toEqual([true, true]);
});

it('a worktree of somebody’s that is being made at that moment is waited for', async () => {
  const { root, write, makeAnew } = await halfMade({ empty: ['commondir'] });
  const file = join(write('b', join(root, '../somebody/b')), 'commondir');
  const made = makeAnew();
  // It is looked at four times, a tenth of a second apart.
  setTimeout(() => writeFileSync(file, '../..\n'), 150);
  expect(await made).toBe(true);
});

it('a merged worktree is removed also where git came upon another one that was being made', async () => {
  const { root, git, folder, project, known, makeAnew } = await halfMade({});
  await makeAnew();
  const bin = join(root, '.clifford/bin');
  mkdirSync(bin);
  const once = join(bin, 'once');
  writeFileSync(once, '');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const said = 'fatal: failed to read .git/worktrees/b/commondir: Success';
  const lines = [
    '#!/bin/sh',
    `case "$*" in *"worktree list"*) if rm ${once} 2>/dev/null; then echo "${said}" >&2; exit 128; fi;; esac`,
    `exec ${real} "$@"`,
  ];
  writeFileSync(join(bin, 'git'), `${lines.join('\n')}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH']}`);
  const worktree: WorktreeState = { ...known, phase: 'merged' };
  expect(await removeWorktree(project, { stream: 'demo', taskId: 'a', worktree, signal })).toBe(known.base);
  expect([existsSync(once), existsSync(folder)]).toEqual([false, false]);
  expect(git('branch', '--format=%(refname:short)')).toBe('main');
});
