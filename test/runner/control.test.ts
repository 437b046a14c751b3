import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { allGone } from '../../src/lib/processes/terminate.ts';
import {
  cancelSprint,
  cancelTask,
  pauseSprint,
  resumeSprint,
  skipTask,
} from '../../src/workflow/sprint/control.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { openTestProject } from '../helpers/temp-project.ts';
import { agentCmd, eventsOf, freshSprint, recorded, startRun, typesOf } from '../helpers/sprint-run.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const me = { stream: 'demo', by: 'me' };

describe('stopping a run', () => {
  it('ends the agent and leaves a log from which the next run goes on; no attempt is spent', async () => {
    const { root, project } = await freshSprint();
    const { runner, ended, printed } = startRun(root, { agentCmd: agentHere('hang-first') });
    const [, pid] = await printed(/ready (\d+)/);
    await runner.stop('Ctrl-C');
    expect(await ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
    expect(await allGone([Number(pid)], 0)).toBe(true);
    expect((await typesOf(project)).slice(-2)).toEqual(['agent.exited', 'runner.left']);

    expect(await startRun(root, { agentCmd: agentHere('hang-first') }).ended).toEqual(done);
  });

  it('kills an agent that does not listen, and what it has started', async () => {
    const { root, project } = await freshSprint();
    const { runner, printed } = startRun(root, { agentCmd: agentCmd('stubborn'), killGraceMs: 100 });
    const [, ...pids] = await printed(/ready (\d+) (\d+)/);
    await runner.stop();
    expect(await allGone(pids.map(Number), 0)).toBe(true);
    const exit = (await eventsOf(project)).find(({ type }) => type === 'agent.exited');
    expect(exit?.data).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('ends the agent also while the log is away', async () => {
    const { root } = await freshSprint();
    const own = await openTestProject(root);
    const back = Promise.withResolvers<void>();
    let isAway = false;
    const project: Project = {
      ...own,
      get state() {
        return own.state;
      },
      refresh: async () => {
        if (isAway) await back.promise;
        return own.refresh();
      },
    };
    const { runner, ended, printed } = startRun(root, { agentCmd: agentHere('hang-first'), project });
    const [, pid] = await printed(/ready (\d+)/);
    isAway = true;
    void runner.stop('Ctrl-C');
    await expect.poll(() => allGone([Number(pid)], 0)).toBe(true);
    back.resolve();
    expect(await ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
  });

  it('before it began ends it at once', async () => {
    const { root, project } = await freshSprint();
    const { runner, ended } = startRun(root, { agentCmd: agentHere('complete') });
    await runner.stop('Ctrl-C');
    expect(await ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
    expect(await typesOf(project)).toEqual([]);
  });
});

describe('pausing a sprint', () => {
  it('lets the agent finish and starts no other until it is resumed', async () => {
    const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
    const { runner, ended } = startRun(root, { agentCmd: agentHere('complete') });
    await once(runner, 'task-start');
    await pauseSprint(project, me);
    await recorded(project, 'agent.exited');
    await resumeSprint(project, me);
    expect(await ended).toEqual(done);
    const types = await typesOf(project);
    expect(types.lastIndexOf('task.started')).toBeGreaterThan(types.indexOf('sprint.resumed'));
  });

  it('ends a run that does not wait', async () => {
    const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
    const { runner, ended } = startRun(root, { agentCmd: agentHere('complete'), wait: false });
    await once(runner, 'task-start');
    await pauseSprint(project, me);
    expect(await ended).toEqual({ outcome: 'blocked', reason: 'the sprint is paused' });
    expect((await typesOf(project)).filter((type) => type === 'task.started')).toHaveLength(1);
  });
});

describe('while its agent works', () => {
  it.each([
    ['skipping', skipTask],
    ['cancelling', cancelTask],
  ])('%s a task ends the agent, and the sprint goes on', async (_, control) => {
    const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
    const { ended, printed, runner } = startRun(root, { agentCmd: agentHere('hang-first') });
    const [, pid] = await printed(/ready (\d+)/);
    await control(project, { ...me, taskId: 'a' });
    const [second] = await once(runner, 'task-start');
    expect(second).toMatchObject({ task: 'b' });
    expect(await allGone([Number(pid)], 0)).toBe(true);
    await skipTask(project, { ...me, taskId: 'b' });
    expect(await ended).toEqual({ ...done, reason: 'no task is left' });
  });

  it('cancelling the sprint ends the agent and the run', async () => {
    const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
    const { ended, printed } = startRun(root, { agentCmd: agentHere('hang-first') });
    const [, pid] = await printed(/ready (\d+)/);
    await cancelSprint(project, me);
    expect(await ended).toEqual({ outcome: 'cancelled', reason: 'it was cancelled by me' });
    expect(await allGone([Number(pid)], 0)).toBe(true);
    expect((await typesOf(project)).at(-1)).toBe('agent.exited');
  });
});
