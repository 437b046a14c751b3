import { randomUUID } from 'node:crypto';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { CliffordError } from '../../src/errors.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { stopRun } from '../../src/workflow/sprint/stop-run.ts';
import { startRefusal } from '../../src/tui/screen/start-refusal.ts';
import { isBeingRun } from '../../src/workflow/queue/worker-of.ts';
import { dropWorktree } from '../../src/workflow/worktree/drop-worktree.ts';
import { notesFolder } from '../../src/workflow/project/own-notes.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { on } from '../helpers/history.ts';
import { killedBefore, projectWithBefore } from '../helpers/killed-project.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { eventsOf, freshSprint, startRun, type SprintRun } from '../helpers/sprint-run.ts';
import { openTestProject, tempRoot } from '../helpers/temp-project.ts';

const completed = { outcome: 'completed' };
const ofAnother = { code: 'SPRINT_RUNNING', message: expect.stringContaining('another machine') };

describeWithNats('a run by hand of a sprint in a log that machines share', (server) => {
  beforeEach(() => {
    vi.stubEnv('CLIFFORD_LOG', `nats://${server.address}/${randomUUID()}`);
  });

  const agentCmd = agentHere('hang-first');
  const runIn = (root: string, options = {}): SprintRun =>
    startRun(root, { agentCmd, sprint: 'demo', ...options });

  const begins = (project: Project) =>
    project.until(({ streams }) => streams.get('demo')?.tasks.get('a')?.agent?.runId);

  /** A project, and the same on a machine that has the log and nothing else of what was run. */
  async function onTwoMachines() {
    const { root, project } = await freshSprint({ tasks: ['a'] });
    const other = join(await tempRoot(), 'there');
    cpSync(root, other, { recursive: true });
    rmSync(join(other, '.clifford'), { recursive: true });
    return { root, project, other, there: await openTestProject(other) };
  }

  /** The same, where the runner of the first one was killed. */
  async function killedThere() {
    const { root, project, ...others } = await onTwoMachines();
    const killed = await killedBefore('runner.left', root);
    const run = runIn(root, { project: killed });
    await begins(project);
    void run.runner.stop('enough');
    await expect(run.ended).rejects.toThrow('killed');
    return { root, project, ...others };
  }

  it('is refused while another machine has one, which leaves where that is asked for', async () => {
    const { root, project, other, there } = await onTwoMachines();
    const run = runIn(root);
    await begins(project);
    await expect(runIn(other).ended).rejects.toMatchObject(ofAnother);
    const added = await clifford(['queue', 'add', 'demo'], { cwd: other });
    expect(added).toMatchObject({ code: 2, err: expect.stringContaining('a run on another machine') });
    const addedHere = await clifford(['queue', 'add', 'demo'], { cwd: root });
    expect(addedHere).toMatchObject({ code: 2, err: expect.stringContaining('a run in this folder has it') });
    await stopRun(there, { stream: 'demo', by: 'ada' });
    expect(await run.ended).toEqual({ outcome: 'stopped', reason: 'ada stopped it' });
    expect(await runIn(other).ended).toMatchObject(completed);
  });

  it('ends when a worker takes its sprint, which was added to the queue as the run began', async () => {
    const { root, project, there } = await onTwoMachines();
    const run = runIn(root);
    await begins(project);
    await there.record('demo', [on('demo', 'job.taken', { worker: 'only/1' })]);
    expect(await run.ended).toEqual({ outcome: 'stopped', reason: 'worker only/1 has taken it over' });
  });

  it('is one for those who look on from another machine, too, until that has left', async () => {
    const { root, project, other, there } = await onTwoMachines();
    const run = runIn(root);
    await begins(project);
    await there.refresh();
    expect(isBeingRun(there, 'demo')).toBe(true);
    const { name = '' } = there.state.streams.get('demo')?.runner ?? {};
    expect(name).toContain(` on ${hostname()}`);
    const status = async () => (await clifford(['status'], { cwd: other })).out;
    expect(await status()).toContain(
      `run on another machine, or in another folder (${name}; if that is lost: clifford stop demo)`,
    );
    expect(startRefusal({ project: there, stream: 'demo' })).toBe(
      `A run elsewhere has it (${name}): clifford stop demo has that leave`,
    );
    await run.runner.stop('enough');
    await there.refresh();
    expect(await status()).not.toContain('another machine');
    expect(isBeingRun(there, 'demo')).toBe(false);
  });

  it('is not over by the word of one that is called alike and was told to leave before', async () => {
    const { project, other, there } = await killedThere();
    const { name: runner = '', run } = project.state.streams.get('demo')?.runner ?? {};
    await stopRun(there, { stream: 'demo', by: 'ada' });
    const next = runIn(other, { agentCmd: agentHere('ask-and-leave') });
    await there.until(({ streams }) => (streams.get('demo')?.runner?.run === undefined ? undefined : true));
    await there.record('demo', [on('demo', 'runner.left', { runner, run, reason: 'it was stopped' })]);
    expect((await there.refresh()).streams.get('demo')?.runner).toMatchObject({
      name: runner,
      run: expect.any(String),
    });
    await next.runner.stop('enough');
  });

  it('is refused where one was killed on another machine, until somebody has told that to leave', async () => {
    const { root, project, other, there } = await killedThere();
    await expect(runIn(other).ended).rejects.toMatchObject(ofAnother);
    await stopRun(there, { stream: 'demo', by: 'ada' });
    expect(await runIn(other).ended).toMatchObject(completed);
    expect(readdirSync(notesFolder(there))).toEqual([]);
    expect(readdirSync(notesFolder(project))).not.toEqual([]);
    await clifford(['clean'], { cwd: root });
    expect(readdirSync(notesFolder(project))).toEqual([]);
  });

  it('is one no more where it was killed, once it is told to leave there', async () => {
    const { root, project, other } = await killedThere();
    expect((await project.refresh()).streams.get('demo')?.runner?.run).toBeDefined();
    expect(await clifford(['stop', 'demo'], { cwd: root })).toMatchObject({ code: 0 });
    expect(await clifford(['stop', 'demo'], { cwd: root })).toMatchObject({ code: 2 });
    expect(await runIn(other).ended).toMatchObject(completed);
  });

  it('goes on with one that never heard whether it had begun', async () => {
    const { root, project } = await onTwoMachines();
    const sent = await openTestProject(root);
    const log = process.env['CLIFFORD_LOG'];
    vi.stubEnv('CLIFFORD_LOG', undefined);
    const stale = await openTestProject(await tempRoot());
    vi.stubEnv('CLIFFORD_LOG', log);
    let isCutOff = false;
    const cutOff: Project = {
      ...sent,
      get state() {
        return isCutOff ? stale.state : sent.state;
      },
      dispatch: async (stream, choose) => {
        const stored = await sent.dispatch(stream, choose);
        isCutOff ||= stored.some(({ type }) => type === 'sprint.started');
        if (isCutOff) throw new Error('cut off');
        return stored;
      },
    };
    await expect(runIn(root, { project: cutOff }).ended).rejects.toThrow('cut off');
    expect((await project.refresh()).streams.get('demo')?.runner?.run).toBeDefined();
    expect(await runIn(root, { project, agentCmd: agentHere('complete') }).ended).toMatchObject(completed);
  });

  it('goes on with one whose end could not be said', async () => {
    const { root, project } = await onTwoMachines();
    const cutOff = () =>
      Promise.reject(new CliffordError('cut off', { code: 'LOG_UNREACHABLE', fix: 'Wait' }));
    const own = await projectWithBefore('runner.left', root, cutOff);
    const run = runIn(root, { project: own });
    await begins(project);
    await run.runner.stop('enough');
    expect(await runIn(root).ended).toMatchObject(completed);
  });

  it('does not end for one that came and left before it began, nor for one of its name that is told to leave', async () => {
    const { root, project } = await onTwoMachines();
    const other = { runner: 'clifford, process 7', run: 'runner-7' };
    const own = await projectWithBefore('sprint.started', root, () =>
      project.record('demo', [
        on('demo', 'sprint.started', other),
        on('demo', 'runner.left', { ...other, reason: 'it was stopped' }),
      ]),
    );
    const run = runIn(root, { project: own });
    await begins(project);
    const { name = '' } = project.state.streams.get('demo')?.runner ?? {};
    await project.record('demo', [
      on('demo', 'runner.recalled', { runner: name, run: 'runner-8', by: 'ada' }),
      on('demo', 'note.sent'),
    ]);
    await own.until(({ streams }) =>
      streams.get('demo')?.version === project.state.streams.get('demo')?.version ? true : undefined,
    );
    await run.runner.stop('enough');
    expect(await run.ended).toEqual({ outcome: 'stopped', reason: 'enough' });
  });

  it('goes on with one that was killed in its own folder', async () => {
    const { root, project } = await killedThere();
    expect(await runIn(root).ended).toMatchObject(completed);
    expect(readdirSync(notesFolder(project))).toEqual([]);
  });

  it('is not refused after one on another machine that has left, or is over', async () => {
    const { root, project, other } = await onTwoMachines();
    const left = runIn(root);
    await begins(project);
    await left.runner.stop('enough');
    expect(await runIn(other, { agentCmd: agentHere('fail-task', 'a') }).ended).toMatchObject({
      outcome: 'failed',
    });
    expect(await runIn(root, { agentCmd: agentHere('complete') }).ended).toMatchObject(completed);
    expect(await runIn(other).ended).toMatchObject(completed);
  });

  it('ends where another one has taken the sprint up all the same, and decides nothing after that', async () => {
    const { root, project, there } = await onTwoMachines();
    const run = runIn(root);
    await begins(project);
    await there.record('demo', [
      on('demo', 'sprint.started', { runner: 'clifford, process 7', run: 'runner-7' }),
    ]);
    expect(await run.ended).toEqual({
      outcome: 'stopped',
      reason: 'another run has taken it up: clifford, process 7',
    });
    expect((await there.refresh()).streams.get('demo')?.runner).toEqual({
      name: 'clifford, process 7',
      run: 'runner-7',
    });
  });

  it('says of no attempt that it is lost which another machine has begun while this one got ready', async () => {
    const { project, other, there } = await onTwoMachines();
    const own: Project = {
      ...there,
      get state() {
        return there.state;
      },
      // It is looked at by then that nobody has the sprint.
      confirm: async (...asked) => {
        await project.record('demo', [
          on('demo', 'sprint.created'),
          on('demo', 'sprint.started', { runner: 'clifford, process 7', run: 'runner-7' }),
          on('demo/a', 'task.started', { attempt: 1, runId: 'run-of-7' }),
          on('demo/a', 'agent.started', { attempt: 1, runId: 'run-of-7' }),
        ]);
        return there.confirm(...asked);
      },
    };
    await expect(runIn(other, { project: own }).ended).rejects.toMatchObject(ofAnother);
    const { machine } = (await project.refresh()).streams.get('demo')?.tasks.get('a') ?? {};
    expect(machine?.context.runId).toBe('run-of-7');
  });

  it('nor of one of before, where another machine has taken the sprint up while that was ended', async () => {
    const { root, project } = await onTwoMachines();
    await project.record('demo', [
      on('demo', 'sprint.created'),
      on('demo', 'sprint.started', { runner: 'clifford, process 6' }),
      on('demo/a', 'task.started', { attempt: 1, runId: 'run-of-6' }),
      on('demo/a', 'agent.started', { attempt: 1, runId: 'run-of-6' }),
    ]);
    const own = await projectWithBefore('agent.lost', root, () =>
      project.record('demo', [
        on('demo', 'sprint.started', { runner: 'clifford, process 7', run: 'runner-7' }),
      ]),
    );
    await expect(runIn(root, { project: own }).ended).rejects.toMatchObject(ofAnother);
    expect((await eventsOf(project)).map(({ type }) => type)).not.toContain('agent.lost');
  });

  it('keeps worktrees from being given up on another machine', async () => {
    const { project, there } = await killedThere();
    const drop = (from: Project) => dropWorktree(from, { stream: 'demo', taskId: 'a', by: 'ada' });
    await expect(drop(there)).rejects.toMatchObject(ofAnother);
    await expect(drop(project)).rejects.toMatchObject({ code: 'WORKTREE_UNKNOWN' });
  });
});
