import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { dropWorktree } from '../../../src/workflow/worktree/drop-worktree.ts';
import { isClaimedHere } from '../../../src/workflow/worktree/worktree-claims.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { killedBefore, projectWithBefore } from '../../helpers/killed-project.ts';
import { on } from '../../helpers/history.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { withoutGitConfig } from '../../helpers/temp-repository.ts';
import { livesOf, parallelSprint } from './support.ts';

beforeEach(withoutGitConfig);

/** A sprint whose first task has failed in its worktree, which somebody has given up since. No run is at work. */
async function withDropped() {
  const sprint = await parallelSprint({ a: {}, b: {} });
  await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
  await dropWorktree(sprint.project, { stream: 'demo', taskId: 'a', by: 'ada' });
  const lives = async () => (await livesOf(sprint.project)).filter((life) => life.startsWith('a '));
  const skip = () => clifford(['skip', 'a'], { cwd: sprint.root });
  return { ...sprint, lives, skip, folder: join(sprint.worktrees, 'demo/a') };
}

describeOnEachEngine('a worktree of this folder that is given up', () => {
  it('is removed by the next run', async () => {
    const { run, skip, lives, folder, project } = await withDropped();
    await skip();
    const worktree = (await project.refresh()).streams.get('demo')?.tasks.get('a')?.worktree;
    expect(isClaimedHere(project, worktree)).toBe(true);
    expect(await run().ended).toMatchObject({ outcome: 'completed' });
    expect({ lives: await lives(), isThere: existsSync(folder) }).toEqual({
      lives: ['a claimed', 'a prepared', 'a dropped', 'a removed'],
      isThere: false,
    });
    expect(isClaimedHere(project, worktree)).toBe(false);
  });

  it('is made anew by the next run, of each task that was begun, also where it was removed before', async () => {
    const { project, root, run } = await parallelSprint({ a: {}, b: {} });
    const first = run({ agentCmd: agentHere('hang-first') });
    await project.until(({ streams }) => {
      const tasks = [...(streams.get('demo')?.tasks.values() ?? [])];
      return tasks.every(({ agent }) => agent !== undefined) && tasks.length === 2 ? true : undefined;
    });
    await first.runner.stop('enough');
    for (const taskId of ['a', 'b']) await dropWorktree(project, { stream: 'demo', taskId, by: 'ada' });
    await clifford(['clean'], { cwd: root });
    expect(await run().ended).toMatchObject({ outcome: 'completed' });
    const life = ['claimed', 'prepared', 'dropped', 'removed', 'claimed', 'prepared', 'merged', 'removed'];
    for (const task of ['a', 'b']) {
      const lives = (await livesOf(project)).filter((each) => each.startsWith(`${task} `));
      expect(lives).toEqual(life.map((each) => `${task} ${each}`));
      const { machine } = (await project.refresh()).streams.get('demo')?.tasks.get(task) ?? {};
      expect(machine?.context.attempt).toBe(2);
    }
  });

  it.each(['a run', 'clean'])('is that of this folder still where %s could not remove it', async (how) => {
    const { root, run, skip, folder, project } = await withDropped();
    await skip();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    if (how === 'clean') await clifford(['clean'], { cwd: root });
    else await run().ended;
    const worktree = (await project.refresh()).streams.get('demo')?.tasks.get('a')?.worktree;
    expect(worktree?.phase).toBe('dropped');
    expect(isClaimedHere(project, worktree)).toBe(true);
  });

  it('is said to be removed by the next run, where one was killed when it had removed it', async () => {
    const { root, run, skip, lives, folder } = await withDropped();
    await skip();
    const killed = await killedBefore('worktree.removed', root);
    await expect(run({ project: killed }).ended).rejects.toThrow('killed');
    expect(existsSync(folder)).toBe(false);
    expect((await run().ended).outcome).toBe('completed');
    expect((await lives()).at(-1)).toBe('a removed');
  });
});

describeWithNats('a worktree of another machine that is given up', (server) => {
  beforeEach(() => {
    vi.stubEnv('CLIFFORD_LOG', `nats://${server.address}/${randomUUID()}`);
  });

  /** Runs the sprint on a machine that has the log, and made no worktree of it. */
  async function runElsewhere(root: string) {
    const copy = join(await tempRoot(), basename(root));
    cpSync(root, copy, { recursive: true });
    rmSync(join(copy, '.clifford/claims'), { recursive: true });
    onTestFinished(() => rm(`${copy}.worktrees`, { recursive: true, force: true }));
    const agentCmd = agentHere('complete');
    return startRun(copy, { agentCmd, sprint: 'demo', parallel: 2 }).ended;
  }

  it('is left to that one, which removes it when it runs the sprint again', async () => {
    const { root, run, skip, lives, folder } = await withDropped();
    await skip();
    expect((await runElsewhere(root)).outcome).toBe('completed');
    expect({ lives: await lives(), isThere: existsSync(folder) }).toEqual({
      lives: ['a claimed', 'a prepared', 'a dropped'],
      isThere: true,
    });
    await run().ended;
    expect({ last: (await lives()).at(-1), isThere: existsSync(folder) }).toEqual({
      last: 'a removed',
      isThere: false,
    });
  });

  it.each(['worktree.prepared', 'worktree.merged', 'worktree.removed'] as const)(
    'is not what is spoken of where it was made anew while this machine was cut off: %s',
    async (type) => {
      const { root, run, project } = await parallelSprint({ a: { 'shared.txt': 'new\n' } });
      const worktree = { path: 'there', branch: 'there', into: 'main', base: '0123456789ab', slot: 7 };
      const madeAnew = async () => {
        await project.record('demo', [
          on('demo', 'sprint.started', { runner: 'clifford, process 7', run: 'runner-7' }),
          on('demo/a', 'worktree.claimed', worktree),
        ]);
      };
      const cutOff = await projectWithBefore(type, root, madeAnew);
      expect((await run({ project: cutOff }).ended).outcome).toBe('stopped');
      expect((await livesOf(project)).at(-1)).toBe('a claimed');
      expect((await project.refresh()).streams.get('demo')?.tasks.get('a')?.worktree).toMatchObject(worktree);
    },
  );

  it('is taken for given up by clean, which says where it goes', async () => {
    const { root } = await withDropped();
    rmSync(join(root, '.clifford/claims'), { recursive: true });
    const { out } = await clifford(['clean', '--dry-run'], { cwd: root });
    expect(out).toMatch(
      /^stays demo\/a: it was given up, and goes when a run or clean comes upon it where it was made/,
    );
  });

  it('is taken off the list by another --drop, as its machine may be lost, and is one of before there', async () => {
    const { root, folder, project } = await withDropped();
    const claims = join(root, '.clifford/claims');
    renameSync(claims, `${claims}-aside`);
    const clean = async (...args: string[]) => (await clifford(['clean', ...args], { cwd: root })).out;
    expect(await clean('--dry-run')).toContain('clifford clean --drop a --sprint demo)');
    expect(await clean('--drop', 'a', '--sprint', 'demo')).toMatch(
      /^left demo\/a: nobody waits for its machine any more; what is in it and in no commit elsewhere is lost/,
    );
    const removed = (await eventsOf(project)).at(-1);
    expect(removed).toMatchObject({ type: 'worktree.removed', data: { leftBy: expect.any(String) } });
    renameSync(`${claims}-aside`, claims);
    expect(await clean()).toMatch(/^stays demo\/a: it is of before, .* this log does not know it/);
    expect(existsSync(folder)).toBe(true);
  });

  it('is followed by one of this machine where its task goes on, which is removed here', async () => {
    const { root, lives, folder } = await withDropped();
    expect((await runElsewhere(root)).outcome).toBe('completed');
    expect({ lives: await lives(), isThere: existsSync(folder) }).toEqual({
      lives: ['a claimed', 'a prepared', 'a dropped', 'a claimed', 'a prepared', 'a merged', 'a removed'],
      isThere: true,
    });
  });
});

describeWithNats('a worktree of another machine whose task is not over', (server) => {
  beforeEach(() => {
    vi.stubEnv('CLIFFORD_LOG', `nats://${server.address}/${randomUUID()}`);
  });

  it('keeps a run of this one from it, until somebody gives up what is in it: then another is made', async () => {
    const sprint = await parallelSprint({ a: {} });
    await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    const folder = join(sprint.worktrees, 'demo/a');
    writeFileSync(join(folder, 'mine.txt'), 'mine\n');
    // As on a machine that had the task before another one.
    rmSync(join(sprint.root, '.clifford/claims'), { recursive: true });
    const clean = async (...args: string[]) => (await clifford(['clean', ...args], { cwd: sprint.root })).out;
    expect(await clean('--dry-run')).toMatch(
      /^stays demo\/a: it was not made from this folder.*\n.*--drop a/s,
    );
    const run = () => sprint.run({ agentCmd: agentHere('complete') }).ended;
    await expect(run()).rejects.toMatchObject({
      code: 'WORK_MISSING',
      fix: expect.stringContaining('clifford clean --drop a --sprint demo'),
    });
    await clean('--drop', 'a', '--sprint', 'demo');
    expect((await run()).outcome).toBe('completed');
    expect(await livesOf(sprint.project)).toEqual([
      'a claimed',
      'a prepared',
      'a dropped',
      'a claimed',
      'a prepared',
      'a merged',
      'a removed',
    ]);
    expect(existsSync(join(folder, 'mine.txt'))).toBe(true);
    expect(await clean('--dry-run')).toMatch(
      /^stays demo\/a: it is of before, .*1 changed file that no commit has/,
    );
  });

  it('keeps none from it where the task is skipped: nothing in it is wanted', async () => {
    const sprint = await parallelSprint({ a: {} });
    await sprint.run({ agentCmd: agentHere('fail-task', 'a') }).ended;
    rmSync(join(sprint.root, '.clifford/claims'), { recursive: true });
    await clifford(['skip', 'a'], { cwd: sprint.root });
    expect((await sprint.run().ended).outcome).toBe('completed');
  });
});
