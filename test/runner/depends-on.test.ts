import { describe, expect, it } from 'vitest';
import { cancelTask, retryTasks, skipTask } from '../../src/workflow/sprint/control.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { agentCmd, eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const me = { stream: 'demo', by: 'me' };
const tasks = [
  { id: 'b', file: 'a.md', dependsOn: ['a'] },
  { id: 'a', file: 'a.md' },
  { id: 'c', file: 'a.md', dependsOn: ['b'] },
];

describe('tasks that depend on others', () => {
  it('are started after them, whatever their place in the manifest', async () => {
    const { root, project } = await freshSprint({ manifest: { tasks } });
    expect(await startRun(root, { agentCmd: agentHere('complete') }).ended).toEqual(done);
    const started = (await eventsOf(project)).filter(({ type }) => type === 'task.started');
    expect(started.map(({ subject }) => subject)).toEqual(['demo/a', 'demo/b', 'demo/c']);
  });

  it('are started after one that was skipped', async () => {
    const { root, project } = await freshSprint({ manifest: { tasks } });
    const { ended, printed } = startRun(root, { agentCmd: agentHere('hang-first') });
    await printed(/ready/);
    for (const taskId of ['a', 'b', 'c']) await skipTask(project, { ...me, taskId });
    expect(await ended).toEqual({ ...done, reason: 'no task is left' });
  });

  it('and of which one was cancelled: the run ends, names it, and goes on when it is done after all', async () => {
    const { root, project } = await freshSprint({ manifest: { tasks } });
    const { ended, printed } = startRun(root, { agentCmd: agentHere('hang-first') });
    await printed(/ready/);
    await cancelTask(project, { ...me, taskId: 'a' });
    const reason = 'no task can start: b waits for a (cancelled), c waits for b (pending)';
    expect(await ended).toEqual({ outcome: 'failed', reason });

    const again = () => startRun(root, { agentCmd: agentHere('complete'), sprint: 'demo' }).ended;
    expect(await again()).toEqual({ outcome: 'failed', reason });
    await retryTasks(project, { ...me, taskId: 'a' });
    expect(await again()).toEqual(done);
  });

  it('and of which one failed: the run ends with its failure', async () => {
    const { root } = await freshSprint({ manifest: { tasks } });
    expect(await startRun(root, { agentCmd: agentCmd('give-up') }).ended).toEqual({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^task a failed: .*; not run: b waits for a \(failed\), c waits for b \(pending\)$/s,
      ),
    });
  });

  it('do not stop those that do not: these are run, and the run fails at its end', async () => {
    const { root, project } = await freshSprint({ tasks: ['a', 'b', 'c'] });
    const ended = await startRun(root, { agentCmd: agentHere('fail-task', 'a') }).ended;
    expect(ended).toEqual({ outcome: 'failed', reason: expect.stringMatching(/^task a failed: [^;]*$/) });
    expect((await project.refresh()).streams.get('demo')?.tally).toMatchObject({ failed: 1, ended: 2 });
  });

  it('are not started once one has failed where that is wanted', async () => {
    const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
    const ended = await startRun(root, { agentCmd: agentHere('fail-task', 'a'), failFast: true }).ended;
    expect(ended).toEqual({ outcome: 'failed', reason: expect.stringMatching(/; not run: b$/) });
    expect((await project.refresh()).streams.get('demo')?.tally).toMatchObject({ failed: 1, pending: 1 });
  });
});
