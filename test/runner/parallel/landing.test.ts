import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { tryUndoUnfinishedLanding } from '../../../src/workflow/landing/unfinished-landing.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { withoutGitConfig } from '../../helpers/temp-repository.ts';
import { commitOf, gitThat, landUntil } from '../../workflow/landing/landing-world.ts';
import { livesOf, parallelSprint, type ParallelSprint, type Plan } from './support.ts';

beforeEach(() => {
  withoutGitConfig();
  onTestFinished(() => void vi.unstubAllEnvs());
});

const done = { outcome: 'completed', reason: 'all tasks are done' };

const OWN_STATUSES = [' M sprints/demo/manifest.json'];

/** Has all that is started from now on find this git, for which cases of the shell are given. */
async function withGit({ root }: ParallelSprint, cases: string): Promise<void> {
  vi.stubEnv('PATH', (await gitThat({ root }, cases)).PATH);
}

/** Does something the first time only. */
const once = ({ root }: ParallelSprint, work: string) => {
  const mark = join(root, '.clifford/once');
  return `[ -e '${mark}' ] || { : > '${mark}'; ${work}; }`;
};

const two: Plan = { a: { 'a.txt': 'a\n' }, b: { 'b.txt': 'b\n' } };

/** Both tasks are merged, the second by a merge, and nobody was asked. */
async function expectMerged({ project, git }: ParallelSprint): Promise<void> {
  expect(git.status()).toEqual(OWN_STATUSES);
  expect(git('ls-tree', '--name-only', 'main').split('\n')).toEqual(
    expect.arrayContaining(['a.txt', 'b.txt']),
  );
  expect((await eventsOf(project)).map(({ type }) => type)).not.toContain('help.requested');
  const lives = await livesOf(project);
  for (const task of ['a', 'b']) expect(lives).toContain(`${task} merged`);
}

describeOnEachEngine('a landing', () => {
  it('what is landed is recorded as merged, though its worktree cannot be put back', async () => {
    const sprint = await parallelSprint(two);
    await withGit(sprint, `*" reset --hard"*) ${once(sprint, 'echo locked >&2; exit 128')} ;;`);
    const run = sprint.run({ wait: false });
    const problem = new Promise<string>((resolve) => void run.runner.on('problem', resolve));
    expect(await run.ended).toEqual(done);
    expect(await problem).toMatch(/^task [ab] is merged into main, but git reset .*: locked/);
    await expectMerged(sprint);
  });

  it('what is landed is recorded as merged, though git is killed each time behind that', async () => {
    const sprint = await parallelSprint({ a: { 'a.txt': 'a\n' } });
    const landed = join(sprint.root, '.clifford/landed');
    await withGit(
      sprint,
      `*" update-ref -m "*) git "$@" && : > '${landed}'; exit ;;
     *" symbolic-ref "*) [ ! -e '${landed}' ] || exit 137 ;;`,
    );
    const run = sprint.run({ wait: false });
    const problem = new Promise<string>((resolve) => void run.runner.on('problem', resolve));
    expect(await run.ended).toEqual(done);
    expect(await problem).toBe('task a is merged into main, but git symbolic-ref was ended by SIGKILL');
    expect(await livesOf(sprint.project)).toContain('a merged');
  });

  it.each(['merge --quiet', 'checkout --quiet --detach', 'reset --hard', 'config -z', 'commit --quiet'])(
    'a task whose git %s is killed once is merged without a question',
    async (command) => {
      const sprint = await parallelSprint(two);
      await withGit(sprint, `*" ${command}"*) ${once(sprint, 'exit 137')} ;;`);
      expect(await sprint.run({ wait: false }).ended).toEqual(done);
      await expectMerged(sprint);
    },
  );

  /** A sprint in whose project a landing was ended in front of its last step. */
  async function withUnfinishedLanding(): Promise<ParallelSprint> {
    const sprint = await parallelSprint({ a: {} });
    const world = { ...sprint, one: '', other: '' };
    const sha = commitOf(world, () => sprint.git.write({ 'half.txt': 'half', 'other.txt': 'half' }));
    await landUntil(world, sha, 'update-ref');
    expect(sprint.git.status()).toEqual(['A  half.txt', 'M  other.txt']);
    return sprint;
  }

  function expectUndone({ git, root }: ParallelSprint): void {
    expect(git.status().filter((line) => !OWN_STATUSES.includes(line))).toEqual([]);
    expect(existsSync(join(root, '.clifford/landing'))).toBe(false);
  }

  it('a run that begins undoes an unfinished landing, though it merges nothing', async () => {
    const sprint = await withUnfinishedLanding();
    expect(await sprint.run({ parallel: 1 }).ended).toEqual(done);
    expectUndone(sprint);
  });

  it('a sprint that is cancelled leaves no unfinished landing', async () => {
    const sprint = await withUnfinishedLanding();
    expect(await clifford(['cancel', '--sprint', 'demo'], { cwd: sprint.root })).toMatchObject({ code: 0 });
    expectUndone(sprint);
  });

  const NOT_UNDONE =
    'an earlier merge was left unfinished in the files of the project, and cannot be undone: ';

  /** Nobody can take the lock of commits and merges. @returns what lets it be taken again. */
  function blockTurns({ root }: ParallelSprint): () => void {
    const lock = join(root, '.clifford/locks/commit.lock');
    rmSync(lock);
    mkdirSync(lock);
    return () => rmdirSync(lock);
  }

  it.each(['skip', 'cancel'])(
    'what %s has done is told as done, with a note of the unfinished landing that cannot be undone, and why',
    async (command) => {
      const sprint = await withUnfinishedLanding();
      const unblock = blockTurns(sprint);
      const { code, out, err } = await clifford([command, 'a', '--sprint', 'demo'], { cwd: sprint.root });
      expect({ code, out }).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^(?:skipp|cancell)ed a of demo\n/),
      });
      expect(err).toContain(`${NOT_UNDONE}Cannot take the lock `);
      unblock();
      expect(await clifford(['cancel', '--sprint', 'demo'], { cwd: sprint.root })).toMatchObject({ code: 0 });
      expectUndone(sprint);
    },
  );

  it('an unfinished landing whose git hangs is left for now, and undone the next time', async () => {
    const sprint = await withUnfinishedLanding();
    await withGit(sprint, `*" rev-parse "*) ${once(sprint, 'exec sleep 600')} ;;`);
    expect(await tryUndoUnfinishedLanding(sprint.project, { limitMs: 1_000 })).toBe(
      `${NOT_UNDONE}it took longer than 1 s`,
    );
    expect(await tryUndoUnfinishedLanding(sprint.project)).toBeUndefined();
    expectUndone(sprint);
  });

  it('a run that is stopped in the middle of a landing undoes it', async () => {
    const sprint = await parallelSprint(two);
    const reached = join(sprint.root, '.clifford/reached');
    await withGit(sprint, `*" update-ref -m "*) ${once(sprint, `: > '${reached}'; sleep 600`)} ;;`);
    const run = sprint.run();
    await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 30_000 });
    await run.runner.stop('enough');
    expect(await run.ended).toMatchObject({ outcome: 'stopped' });
    expectUndone(sprint);
    expect(await sprint.run().ended).toEqual(done);
    await expectMerged(sprint);
  });

  it('a sprint that is cancelled while a run is at work is merged no further, and what is landed half is undone', async () => {
    const sprint = await parallelSprint(two);
    const reached = join(sprint.root, '.clifford/reached');
    await withGit(sprint, `*" update-ref -m "*) ${once(sprint, `: > '${reached}'; sleep 8`)} ;;`);
    const run = sprint.run();
    await vi.waitFor(() => expect(existsSync(reached)).toBe(true), { timeout: 30_000 });
    expect(await clifford(['cancel', '--sprint', 'demo'], { cwd: sprint.root })).toMatchObject({ code: 0 });
    expect(await run.ended).toMatchObject({ outcome: 'cancelled' });
    expectUndone(sprint);
    expect(sprint.git('log', '--format=%s', 'main')).toBe('before');
  });
});
