import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bringBack, bringHere } from '../../../src/runner/jobs/bring-here.ts';
import type { JobDeps } from '../../../src/runner/jobs/job-deps.ts';
import { RunnerMemory } from '../../../src/runner/reconcile/runner-memory.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

/** The worker of a sprint, whose task `a` another one has done: what that has pushed is in conflict with the branch. */
async function made({ isConflict = true } = {}) {
  withoutGitConfig();
  onTestFinished(() => void vi.unstubAllEnvs());
  const { root, project } = await projectWithSprint();
  const git = makeRepository(root);
  git.write({ 'shared.txt': 'before\n' });
  git.commitAll();
  const base = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '-b', 'pushed');
  git.write({ 'shared.txt': 'by the other worker\n' });
  git.commitAll();
  const sha = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', 'main');
  git.write({ [isConflict ? 'shared.txt' : 'other.txt']: 'on the branch\n' });
  git.commitAll();
  await project.record('demo', [on('demo/a', 'offer.made', { worker: 'owner', base, needs: [] })]);
  await project.record('demo', [on('demo/a', 'offer.taken', { worker: 'helper', branch: 'pushed' })]);
  await project.record('demo', [
    on('demo/a', 'offer.ended', { worker: 'helper', outcome: 'done', reason: 'completed', sha }),
  ]);
  const trees = await tempRoot();
  const worktrees = configSchema.shape.worktrees.parse({ dir: trees });
  const unused = () => Promise.reject(new Error('it is not to be asked for'));
  const deps: JobDeps = {
    project,
    folder: findSprintFolder(await listSprintFolders(root), 'demo'),
    memory: new RunnerMemory(),
    plans: { checksFor: unused, worktrees: () => Promise.resolve(worktrees) },
    isolation: 'worktrees',
    by: 'owner',
    onNews: () => undefined,
    listeners: new EventEmitter(),
  };
  const worktree = () => project.state.streams.get('demo')?.tasks.get('a')?.worktree;
  return { root, git, deps, sha, base, worktree, branches: () => git('branch', '--list', 'clifford/*') };
}

type Bring = typeof bringBack;

/** Git stands still behind this command, or in front of it, and is ended there with what had begun it. */
async function endedAt(bring: Bring, deps: JobDeps, at: { behind: string } | { before: string }) {
  const bin = await tempRoot();
  const [reached, path] = [join(bin, 'reached'), process.env['PATH'] ?? ''];
  const [command, first] = 'behind' in at ? [at.behind, 'git "$@"; '] : [at.before, ''];
  await writeFile(
    join(bin, 'git'),
    `#!/bin/sh
PATH='${path}'
case " $* " in *" ${command} "*) ${first}: > '${reached}'; exec sleep 100 ;; esac
exec git "$@"
`,
    { mode: 0o755 },
  );
  vi.stubEnv('PATH', `${bin}:${path}`);
  const stopping = new AbortController();
  const bringing = bring(deps, 'a', stopping.signal);
  await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 20_000 });
  stopping.abort(new Error('ended'));
  await expect(bringing).rejects.toThrow('ended');
  vi.stubEnv('PATH', path);
}

const { signal } = new AbortController();
const STEPS = [{ behind: 'branch --no-track' }, { behind: 'worktree add' }] as const;

describeOnEachEngine('a branch of another worker', () => {
  it.each(STEPS)('is brought once, though that was ended %o', async (at) => {
    const { git, deps, sha, worktree, branches } = await made();
    await endedAt(bringHere, deps, at);
    await bringHere(deps, 'a', signal);
    expect(branches()).toBe('+ clifford/demo/a');
    expect(worktree()).toMatchObject({ branch: 'clifford/demo/a', phase: 'ready' });
    expect(git('rev-parse', 'clifford/demo/a')).toBe(sha);
  });

  it.each([...STEPS, { before: 'merge --quiet' }, { behind: 'merge --quiet' }])(
    'an agent that puts a merge right finds it begun, though that was ended %o',
    async (at) => {
      const { root, deps, base, worktree, branches } = await made();
      // It went with the machine of the worker that had the sprint.
      const gone = { path: '../gone/a', branch: 'clifford/demo/a', into: 'main', base, slot: 1 };
      await deps.project.record('demo', [
        on('demo/a', 'worktree.claimed', gone),
        on('demo/a', 'worktree.prepared', { copied: [] }),
      ]);
      await endedAt(bringBack, deps, at);
      await bringBack(deps, 'a', signal);
      expect(branches()).toBe('+ clifford/demo/a');
      expect(worktree()).toMatchObject({ branch: 'clifford/demo/a', phase: 'ready' });
      const file = join(root, worktree()?.path ?? '', 'shared.txt');
      expect(readFileSync(file, 'utf8')).toMatch(
        /^<<<<<<< HEAD\nby the other worker\n[^]*on the branch\n>>>>>>>/,
      );
    },
  );

  it('a merge that made its commit by itself is gone on with where it is, though it was ended behind it', async () => {
    // It is to be put right since what verifies it has failed.
    const { root, git, deps, base, sha, worktree, branches } = await made({ isConflict: false });
    const gone = { path: '../gone/a', branch: 'clifford/demo/a', into: 'main', base, slot: 1 };
    await deps.project.record('demo', [
      on('demo/a', 'worktree.claimed', gone),
      on('demo/a', 'worktree.prepared', { copied: [] }),
    ]);
    await endedAt(bringBack, deps, { behind: 'merge --quiet' });
    await bringBack(deps, 'a', signal);
    expect(branches()).toBe('+ clifford/demo/a');
    expect(worktree()).toMatchObject({ branch: 'clifford/demo/a', phase: 'ready' });
    const folder = join(root, worktree()?.path ?? '');
    expect(readFileSync(join(folder, 'shared.txt'), 'utf8')).toBe('by the other worker\n');
    expect(readFileSync(join(folder, 'other.txt'), 'utf8')).toBe('on the branch\n');
    expect(git('rev-parse', 'clifford/demo/a^1', 'clifford/demo/a^2').split('\n')).toEqual([
      sha,
      git('rev-parse', 'main'),
    ]);
  });
});
