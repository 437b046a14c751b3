import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identify } from '../../src/lib/processes/process-identity.ts';
import { listProcesses } from '../../src/lib/processes/process-table.ts';
import { allGone, terminate } from '../../src/lib/processes/terminate.ts';
import { enterSprint } from '../../src/workflow/sprint/enter-sprint.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { eventsOf, freshSprint, startRun, typesOf } from '../helpers/sprint-run.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const runnerProgram = fixtureProgram('run-sprint.ts');

/** A process that sleeps, in a group of its own like an agent, ended when the test is finished. */
async function sleeper(env: Record<string, string> = {}, how?: 'with-child'): Promise<number> {
  const sleep = "setInterval(() => {}, 60_000); console.log('up')";
  const code =
    how === 'with-child'
      ? `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(sleep)}], { stdio: 'inherit' })`
      : sleep;
  const child = spawn(process.execPath, ['-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  await once(child.stdout, 'data');
  const { pid } = child;
  if (pid === undefined) throw new Error('it did not start');
  onTestFinished(() => terminate([-pid]));
  return pid;
}

/** A process that starts another, in a group of its own, when it is told to end, and the pid of that. */
async function startParent(
  env: Record<string, string>,
): Promise<{ pid: number; descendant: Promise<number> }> {
  const sleep = 'setInterval(() => {}, 60_000)';
  const code = `
    process.on('SIGTERM', () => {
      const { pid } = require('node:child_process').spawn(process.execPath, ['-e', '${sleep}'], { detached: true, stdio: 'ignore' });
      console.log(pid);
      process.exit(0);
    });
    ${sleep};
    console.log('up');`;
  const child = spawn(process.execPath, ['-e', code], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  await once(child.stdout, 'data');
  const { pid } = child;
  if (pid === undefined) throw new Error('it did not start');
  const descendant = once(child.stdout, 'data').then(([line]) => Number(String(line)));
  onTestFinished(async () => {
    await terminate([-pid]);
    await terminate([-(await descendant)]);
  });
  return { pid, descendant };
}

/** A sprint whose first attempt is under way, as a runner that died left it. */
async function abandonedSprint(runId: string): Promise<{ root: string; project: Project }> {
  const { root, project } = await freshSprint();
  const sprint = await enterSprint(project, findSprintFolder(await listSprintFolders(root), 'demo'));
  const [task] = sprint.tasks.values();
  if (!task) throw new Error('the sprint has no task');
  await project.dispatch('demo', () => startTask(sprint, task, { by: 'clifford', runId }));
  return { root, project };
}

const agentStarted = (runId: string, identity: ReturnType<typeof identify>) => ({
  type: 'agent.started' as const,
  subject: 'demo/a',
  data: { runId, attempt: 1, adapter: 'command', argv: ['agent'], ...identity },
});

async function lost(project: Project): Promise<unknown[]> {
  return (await eventsOf(project)).filter(({ type }) => type === 'agent.lost').map(({ data }) => data);
}

const endedByUs = 'its runner was gone: the next one ended it';
const goneToo = 'its runner was gone, and so was the agent';

describe('after its runner was killed', () => {
  it('the next run ends the agent that is left, records it, and finishes the sprint', async () => {
    const { root, project, stateDir } = await freshSprint();
    const command = agentHere('hang-first');
    const killed: ChildProcess = spawn(process.execPath, [runnerProgram, stateDir, command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => {
      let text = '';
      killed.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        const match = /ready (\d+)/.exec(text);
        if (match) resolve(Number(match[1]));
      });
    });
    // Whether it was recorded or is only known by its environment: both must do.
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(await allGone([pid], 0)).toBe(false);

    expect(await startRun(root, { agentCmd: command }).ended).toEqual(done);
    expect(await allGone([pid], 0)).toBe(true);
    expect(await lost(project)).toMatchObject([{ reason: endedByUs }]);
    expect(await typesOf(project)).not.toContain('task.failed');
  });

  it('an agent that was started but not recorded is found by its environment', async () => {
    const { root, project } = await abandonedSprint('run-lost');
    const pid = await sleeper({ CLIFFORD_RUN_ID: 'run-lost' });
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await allGone([pid], 0)).toBe(true);
    expect(await lost(project)).toEqual([{ runId: 'run-lost', reason: endedByUs }]);
  });

  it('what starts another when it is told to end is ended with that', async () => {
    const { root, project } = await abandonedSprint('run-lost');
    const { pid, descendant } = await startParent({ CLIFFORD_RUN_ID: 'run-lost' });
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await allGone([pid, await descendant], 0)).toBe(true);
    expect(await lost(project)).toEqual([{ runId: 'run-lost', reason: endedByUs }]);
  });

  it('so is what a command of its checks starts when it is told to end', async () => {
    const { root } = await freshSprint();
    const { pid, descendant } = await startParent({ CLIFFORD_JOB: `${root} demo` });
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await allGone([pid, await descendant], 0)).toBe(true);
  });

  it('an attempt that was never started is given up', async () => {
    const { root, project } = await abandonedSprint('run-lost');
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await lost(project)).toEqual([{ runId: 'run-lost', reason: goneToo }]);
  });

  it('what a log of someone else’s names as a run is removed nowhere', async () => {
    const { root, project } = await abandonedSprint('../../users');
    await mkdir(join(root, 'users'));
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await lost(project)).toEqual([{ runId: '../../users', reason: goneToo }]);
    expect(await readdir(join(root, 'users'))).toEqual([]);
  });

  it.each([
    ['started at another time', { processStart: '1' }],
    ['of another boot', { bootId: 'another' }],
  ])('a process with the recorded pid %s is left alone', async (_, other) => {
    const { root, project } = await abandonedSprint('run-lost');
    const pid = await sleeper();
    await project.record('demo', [agentStarted('run-lost', { ...identify(pid), ...other })]);
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await allGone([pid], 0)).toBe(false);
    expect(await lost(project)).toEqual([{ runId: 'run-lost', reason: goneToo }]);
  });

  it('what a dead agent has left in its group is ended', async () => {
    const { root, project } = await abandonedSprint('run-lost');
    const leader = await sleeper({ CLIFFORD_RUN_ID: 'run-lost' }, 'with-child');
    const [child = 0] = listProcesses()
      .filter(({ group, pid }) => group === leader && pid !== leader)
      .map(({ pid }) => pid);
    await project.record('demo', [agentStarted('run-lost', identify(leader))]);
    process.kill(leader, 'SIGKILL');
    expect(await allGone([leader], 5_000)).toBe(true);
    expect(await allGone([child], 0)).toBe(false);

    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await allGone([child], 0)).toBe(true);
    expect(await lost(project)).toEqual([{ runId: 'run-lost', reason: endedByUs }]);
  });

  it('an agent that had completed its task and lingers is ended, too', async () => {
    const { root, project } = await abandonedSprint('run-lost');
    const pid = await sleeper();
    await project.record('demo', [agentStarted('run-lost', identify(pid))]);
    await project.dispatch('demo', () => [
      { type: 'task.completed', subject: 'demo/a', data: { by: 'agent', runId: 'run-lost' } },
    ]);
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    expect(await allGone([pid], 0)).toBe(true);
    expect(await lost(project)).toEqual([{ runId: 'run-lost', reason: endedByUs }]);
  });
});
