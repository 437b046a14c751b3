import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isOpenWorktree } from '../../src/machines/worktree-state.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { listProcesses } from '../../src/lib/processes/process-table.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { killAll } from '../helpers/project-processes.ts';
import { seededRandom } from '../helpers/random.ts';
import { eventsOf } from '../helpers/sprint-run.ts';
import { withoutGitConfig } from '../helpers/temp-repository.ts';
import { briefLog, expectVerified } from './killed-run.ts';
import {
  answerAll,
  everyCommit,
  isConflict,
  newParallelWorld,
  QUESTION,
  reachable,
  startParallelRun,
  TASKS,
  type ParallelWorld,
} from './parallel-world.ts';

/** A run of all tasks takes some seconds: one that takes so long, in ms, waits for what never comes. */
const LONGEST_RUN_MS = 180_000;

/** Kills a process and everything that descends from it. */
function killTree(pid: number): number {
  const all = listProcesses();
  const tree = new Set([pid]);
  for (let grown = true; grown;) {
    grown = false;
    for (const each of all)
      if (tree.has(each.parent) && !tree.has(each.pid)) {
        tree.add(each.pid);
        grown = true;
      }
  }
  return killAll([...tree]);
}

/** What must hold whenever nothing runs. */
async function expectAccountedFor(world: ParallelWorld): Promise<void> {
  const { root, worktrees, git, project } = world;
  await expectVerified(world);
  const tasks = [...((await project.refresh()).streams.get('demo')?.tasks.values() ?? [])];
  const lost = (await everyCommit(world)).difference(reachable(git));
  const about = [...lost].map((sha) => git('log', '-1', '--format=%H %an %s%n%b', sha));
  expect(about, 'commits that no branch has').toEqual([]);

  const claimed = tasks.flatMap(({ worktree }) => worktree ?? []);
  const folders = existsSync(join(worktrees, 'demo'))
    ? readdirSync(join(worktrees, 'demo')).map((name) =>
        join(worktrees, 'demo', name.replace(/~removed-\w+$/, '')),
      )
    : [];
  expect(claimed.map(({ path }) => resolve(root, path))).toEqual(expect.arrayContaining(folders));
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads/clifford')
    .split('\n')
    .filter(Boolean);
  expect(claimed.map(({ branch }) => branch)).toEqual(expect.arrayContaining(branches));
  const open = tasks.filter((task) => isOpenWorktree(task) && task.worktree?.phase !== 'claimed');
  expect(branches).toEqual(expect.arrayContaining(open.map(({ worktree }) => worktree?.branch)));
}

/** Returns how many conflicts there were. */
async function expectFinished(world: ParallelWorld): Promise<number> {
  const { root, worktrees, git, project } = world;
  const sprint = (await project.refresh()).streams.get('demo');
  const asked = [...(sprint?.requests.values() ?? [])].map((request) => request.asked.question);
  const conflicts = asked.filter(isConflict);
  expect(asked.filter((question) => !isConflict(question))).toEqual([QUESTION]);
  const answers = (await eventsOf(project)).filter(({ type }) => type === 'help.answered');
  expect(answers, 'answers').toHaveLength(asked.length);
  const failures = [...(sprint?.tasks.values() ?? [])].map(
    ({ id, lastFailure = '' }) => `${id}: ${lastFailure}`,
  );
  expect(sprint && nameOf(sprint.machine.value), failures.join('\n')).toBe('done.completed');
  const text = await readFile(join(root, 'lines.txt'), 'utf8');
  const lines = text.split('\n').filter(Boolean);
  const kept = lines.filter((line) => line.startsWith('line '));
  const replaced = [10, 15, 20, 25, 30];
  expect(kept).toEqual(
    Array.from({ length: 40 }, (_, at) => at)
      .filter((at) => !replaced.includes(at))
      .map((at) => `line ${at}`),
  );
  expect(lines.filter((line) => !kept.includes(line)).toSorted()).toEqual(
    TASKS.map((task) => `done by ${task}`),
  );
  for (const task of TASKS) {
    const made = `made by ${task}${task === 't3' ? ' in blue' : ''}`;
    expect(git('show', `HEAD:made/${task}.txt`)).toBe(made);
  }
  expect(git.status()).toEqual([' M sprints/demo/manifest.json']);
  expect(existsSync(worktrees)).toBe(false);
  expect(git('branch', '--list').split('\n')).toEqual(['* main']);
  await expectAccountedFor(world);
  return conflicts.length;
}

describeOnEachEngine('tasks at once', () => {
  it('lose no commit and no worktree where their whole tree of processes is killed at random instants', async () => {
    withoutGitConfig();
    onTestFinished(() => void vi.unstubAllEnvs());
    const kills = faultRuns(50);
    const random = seededRandom(faultSeed());
    let [killed, worlds, conflicts] = [0, 0, 0];
    let world: ParallelWorld | undefined;
    onTestFinished(async () => world?.close());
    try {
      while (killed < kills || world) {
        if (!world) {
          world = await newParallelWorld();
          worlds += 1;
        }
        const runner = startParallelRun(world);
        const ended = once(runner, 'exit');
        const isLast = killed >= kills;
        const patience = isLast ? LONGEST_RUN_MS : 300 + random() * 4_000;
        const human = new AbortController();
        const answering = answerAll(world, { random, signal: human.signal });
        await Promise.race([pause(patience, undefined, { ref: false }), ended, answering]);
        const isAlive = runner.exitCode === null && runner.signalCode === null;
        if (isAlive && runner.pid !== undefined) {
          killTree(runner.pid);
          killed += 1;
        }
        await ended;
        human.abort();
        await answering;
        expect(isLast && isAlive, 'the last run does not end').toBe(false);
        await expectAccountedFor(world);
        if (runner.exitCode !== 0) continue;
        conflicts += await expectFinished(world);
        await world.close();
        world = undefined;
      }
      expect(conflicts, 'the tasks that change the same line never met').toBeGreaterThan(0);
    } catch (error) {
      if (world) {
        const notes = execFileSync('git', ['-C', world.root, 'worktree', 'list'], { encoding: 'utf8' });
        console.log(await briefLog(world.project), notes, world.problems.join(''));
      }
      throw error;
    }
    console.log(`parallel kills: ${killed} over ${worlds} sprints, with ${conflicts} conflicts`);
  });
});
