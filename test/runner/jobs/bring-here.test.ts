import { EventEmitter } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bringBack, bringHere } from '../../../src/runner/jobs/bring-here.ts';
import type { JobDeps } from '../../../src/runner/jobs/job-deps.ts';
import { prepareWorktree } from '../../../src/runner/jobs/prepare-worktree.ts';
import { RunnerMemory } from '../../../src/runner/reconcile/runner-memory.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { removeWorktree } from '../../../src/workflow/worktree/remove-worktree.ts';
import { forgetWorktree, isClaimedHere } from '../../../src/workflow/worktree/worktree-claims.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { on } from '../../helpers/history.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
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

/** The same, where it was made here and somebody has begun to work in it; another machine has made it anew since, at the same path. */
async function hadHere(bring: Bring, { isMade = true } = {}) {
  const world = await made();
  const { root, deps, worktree } = world;
  await bring(deps, 'a', signal);
  const known = worktree();
  if (!known) throw new Error('it has no worktree');
  const { path, branch, into, base, slot, prefix } = known;
  const before = join(root, path, 'shared.txt');
  await writeFile(before, 'half of it\n');
  await deps.project.record('demo', [
    on('demo/a', 'worktree.claimed', { path, branch, into, base, slot, prefix }),
    ...(isMade ? [on('demo/a', 'worktree.prepared', { copied: [] })] : []),
  ]);
  return {
    ...world,
    expectAnew: () => {
      expect(worktree()).toMatchObject({ branch: 'clifford/demo/a-2', phase: 'ready' });
      expect(readFileSync(before, 'utf8')).toBe('half of it\n');
    },
  };
}

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

  it.each([
    ['to be merged', bringHere, /^by the other worker\n$/],
    ['to be put right', bringBack, /^<<<<<<< HEAD\n/],
  ])(
    'is brought %s where a folder of before is at the path at which another machine has it since: that folder stays as it is',
    async (_, bring, text) => {
      const { root, deps, worktree, expectAnew } = await hadHere(bring);
      await bring(deps, 'a', signal);
      expectAnew();
      expect(readFileSync(join(root, worktree()?.path ?? '', 'shared.txt'), 'utf8')).toMatch(text);
    },
  );

  it('is brought anew where the other machine had only said that it would have it', async () => {
    const { deps, expectAnew } = await hadHere(bringHere, { isMade: false });
    await bringHere(deps, 'a', signal);
    expectAnew();
  });

  it('is made anew where machines share the log, though nobody has pushed it; where the log is of this one alone, it is there', async () => {
    const { deps, worktree, expectAnew } = await hadHere(prepareWorktree);
    await prepareWorktree(deps, 'a', signal);
    if (deps.project.isShared) return expectAnew();
    expect(worktree()?.branch).toBe('clifford/demo/a');
    const unused = () => Promise.reject(new Error('it is not to be asked for'));
    const sharing = { needsOf: () => [], push: unused, fetch: unused, add: unused, remove: unused };
    await prepareWorktree({ ...deps, sharing: { ...sharing, worker: 'owner' } }, 'a', signal);
    expectAnew();
  });

  it('is made anew where its folder of before is gone, and the branch of that is here', async () => {
    const { root, git, deps, worktree } = await hadHere(prepareWorktree);
    if (!deps.project.isShared) return;
    await rm(join(root, worktree()?.path ?? ''), { recursive: true });
    await prepareWorktree(deps, 'a', signal);
    expect(worktree()).toMatchObject({ branch: 'clifford/demo/a-2', phase: 'ready' });
    expect(git('rev-parse', 'clifford/demo/a-2')).toBe(git('rev-parse', 'main'));
  });

  it('that was gone is of the folder in which it is made again, until it is removed', async () => {
    const { deps, base, worktree } = await made();
    const path = join(await tempRoot(), 'gone');
    const gone = { path, branch: 'clifford/demo/a', into: 'main', base, slot: 1, prefix: undefined };
    await deps.project.record('demo', [
      on('demo/a', 'worktree.claimed', gone),
      on('demo/a', 'worktree.prepared', { copied: [] }),
    ]);
    const claim = worktree()?.claim;
    await prepareWorktree(deps, 'a', signal);
    const known = worktree();
    expect(known?.claim).not.toBe(claim);
    expect(isClaimedHere(deps.project, known)).toBe(true);
    if (!known) return;
    const removed = { stream: 'demo', taskId: 'a', worktree: known };
    await removeWorktree(deps.project, { ...removed, signal });
    // The log does not say so yet.
    expect(isClaimedHere(deps.project, known)).toBe(true);
    forgetWorktree(deps.project, removed);
    expect(isClaimedHere(deps.project, known)).toBe(false);
  });

  it.each([
    ['is about to be made', 'worktree.claimed'],
    ['is made again', 'worktree.remade'],
  ] as const)(
    'is of this folder, though a run was ended as soon as the log said that it %s',
    async (_, type) => {
      const { deps, base, worktree } = await made();
      if (type === 'worktree.remade') {
        const path = join(await tempRoot(), 'gone');
        await deps.project.record('demo', [
          on('demo/a', 'worktree.claimed', { path, branch: 'clifford/demo/a', into: 'main', base, slot: 1 }),
          on('demo/a', 'worktree.prepared', { copied: [] }),
        ]);
      }
      const record = deps.project.record.bind(deps.project);
      vi.spyOn(deps.project, 'record').mockImplementationOnce(async (stream, facts) => {
        await record(stream, facts);
        throw new Error('ended');
      });
      await expect(prepareWorktree(deps, 'a', signal)).rejects.toThrow('ended');
      const events = await eventsOf(deps.project);
      expect(events.at(-1)).toMatchObject({ type });
      expect(isClaimedHere(deps.project, worktree())).toBe(true);
    },
  );

  it('is of nobody here for a note of what the log never came to say', async () => {
    const { deps, worktree } = await made();
    vi.spyOn(deps.project, 'record').mockRejectedValueOnce(new Error('ended'));
    await expect(prepareWorktree(deps, 'a', signal)).rejects.toThrow('ended');
    expect(readdirSync(join(deps.project.dir, 'claims'))).toHaveLength(1);
    expect(worktree()).toBeUndefined();
    const path = join(await tempRoot(), 'theirs');
    await deps.project.record('demo', [on('demo/a', 'worktree.claimed', { path })]);
    expect(isClaimedHere(deps.project, worktree())).toBe(false);
  });
});
