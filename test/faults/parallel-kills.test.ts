import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isOpenWorktree } from '../../src/machines/worktree-state.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { listProcesses } from '../../src/lib/processes/process-table.ts';
import { openProject, type Project } from '../../src/workflow/project/project.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { ownLogEnv } from '../helpers/log-env.ts';
import { killAll } from '../helpers/project-processes.ts';
import { seededRandom } from '../helpers/random.ts';
import { agentCmd } from '../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig, type TestGit } from '../helpers/temp-repository.ts';
import { briefLog, expectVerified, type KilledProject } from './killed-run.ts';

/** A run of all tasks takes some seconds: one that takes so long, in ms, waits for what never comes. */
const LONGEST_RUN_MS = 180_000;

const TASKS = ['t1', 't2', 't3', 't4', 't5', 't6'];

/** A sprint of six tasks, four at once, that change lines of one file; the last depends on two others. */
type World = KilledProject & {
  readonly worktrees: string;
  readonly git: TestGit;
  readonly project: Project;
  readonly close: () => Promise<void>;
};

async function newWorld(): Promise<World> {
  const root = await tempRoot();
  const entries = TASKS.map((id) => ({
    id,
    file: `${id}.md`,
    ...(id === 't6' && { dependsOn: ['t1', 't2'] }),
  }));
  await writeSprint(root, { tasks: TASKS, manifest: { tasks: entries, verify: ['test -f lines.txt'] } });
  const git = makeRepository(root);
  git.write({ 'lines.txt': Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join('') });
  git.commitAll();
  const env = ownLogEnv();
  const project = await openProject({ root, source: '/clifford/cli', env });
  const worktrees = join(dirname(root), `${basename(root)}.worktrees`);
  const close = async () => {
    await project.close();
    await rm(worktrees, { recursive: true, force: true });
    await rm(root, { recursive: true, force: true });
  };
  return { root, env, worktrees, git, project, close };
}

function startRunner({ root, env }: World): ChildProcess {
  const args = [
    fixtureProgram('run-sprint.ts'),
    join(root, '.clifford'),
    agentCmd('write-line'),
    'demo',
    '4',
  ];
  return spawn(process.execPath, args, { cwd: root, stdio: 'ignore', env: { ...process.env, ...env } });
}

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

/** Commits of tasks and agents: of merges that are not made yet nothing need be left. */
function commitsByTasks({ git }: World): string[] {
  const lines = git('log', '--branches', '--no-merges', '--format=%H').split('\n');
  return lines.filter(Boolean);
}

/** What must hold whenever nothing runs. */
async function expectAccountedFor(world: World, known: Set<string>): Promise<void> {
  const { root, worktrees, git, project } = world;
  await expectVerified(world);
  const tasks = [...((await project.refresh()).streams.get('demo')?.tasks.values() ?? [])];
  const reachable = new Set(commitsByTasks(world));
  for (const { commit } of tasks) if (commit && 'sha' in commit) known.add(commit.sha);
  expect(
    [...known].filter((sha) => !reachable.has(sha)),
    'commits that no branch has',
  ).toEqual([]);
  for (const sha of reachable) known.add(sha);

  const claimed = tasks.flatMap(({ worktree }) => worktree ?? []);
  const folders = existsSync(join(worktrees, 'demo'))
    ? readdirSync(join(worktrees, 'demo')).map((name) =>
        join(worktrees, 'demo', name.replace(/~removed$/, '')),
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

async function expectFinished(world: World, known: Set<string>): Promise<void> {
  const { root, worktrees, git, project } = world;
  const sprint = (await project.refresh()).streams.get('demo');
  const stuck = [...(sprint?.requests.values() ?? [])].map(({ asked }) => asked.question);
  expect(stuck, 'nobody is asked: no two tasks change the same line').toEqual([]);
  const failures = [...(sprint?.tasks.values() ?? [])].map(
    ({ id, lastFailure = '' }) => `${id}: ${lastFailure}`,
  );
  expect(sprint && nameOf(sprint.machine.value), failures.join('\n')).toBe('done.completed');
  const lines = (await readFile(join(root, 'lines.txt'), 'utf8')).split('\n');
  for (const [at, task] of TASKS.entries()) {
    expect(lines[(at + 1) * 5]).toBe(`done by ${task}`);
    expect(git('show', `HEAD:made/${task}.txt`)).toBe(`made by ${task}`);
  }
  expect(git.status()).toEqual([' M sprints/demo/manifest.json']);
  expect(existsSync(worktrees)).toBe(false);
  expect(git('branch', '--list').split('\n')).toEqual(['* main']);
  await expectAccountedFor(world, known);
}

describeOnEachEngine('tasks at once', () => {
  it('tasks at once whose whole tree of processes is killed at random instants lose no commit and no worktree', async () => {
    withoutGitConfig();
    onTestFinished(() => void vi.unstubAllEnvs());
    const kills = faultRuns(50);
    const random = seededRandom(faultSeed());
    let [killed, worlds] = [0, 0];
    let world: World | undefined;
    let known = new Set<string>();
    onTestFinished(async () => world?.close());
    try {
      while (killed < kills || world) {
        if (!world) {
          world = await newWorld();
          worlds += 1;
          known = new Set();
        }
        const runner = startRunner(world);
        const ended = once(runner, 'exit');
        const isLast = killed >= kills;
        const patience = isLast ? LONGEST_RUN_MS : 300 + random() * 4_000;
        await Promise.race([pause(patience, undefined, { ref: false }), ended]);
        const isAlive = runner.exitCode === null && runner.signalCode === null;
        if (isAlive && runner.pid !== undefined) {
          killTree(runner.pid);
          killed += 1;
        }
        await ended;
        expect(isLast && isAlive, 'the last run does not end').toBe(false);
        await expectAccountedFor(world, known);
        if (runner.exitCode !== 0) continue;
        await expectFinished(world, known);
        await world.close();
        world = undefined;
      }
    } catch (error) {
      if (world) {
        const notes = execFileSync('git', ['-C', world.root, 'worktree', 'list'], { encoding: 'utf8' });
        console.log(await briefLog(world.project), notes);
      }
      throw error;
    }
    console.log(`parallel kills: ${killed} over ${worlds} sprints`);
  });
});
