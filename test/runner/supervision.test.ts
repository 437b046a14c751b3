import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMarked } from '../../src/runner/attempt/orphans.ts';
import { hasProcessTable } from '../../src/lib/processes/process-table.ts';
import { SprintRunner } from '../../src/runner/sprint/sprint-runner.ts';
import type { SprintRunnerEvents } from '../../src/runner/sprint/runner-events.ts';
import { allGone } from '../../src/lib/processes/terminate.ts';
import { skipTask } from '../../src/workflow/sprint/control.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { acpSprint } from './support/acp-sprint.ts';
import { agentCmd, eventsOf, freshSprint, startRun, typesOf } from '../helpers/sprint-run.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const failed = (reason: string) => ({ outcome: 'failed', reason: `task a failed: ${reason}` });

/** A sprint with one task in a project with this `clifford.json`. */
async function sprintWith(config: object) {
  const sprint = await freshSprint();
  await writeConfig(join(sprint.root, 'clifford.json'), config);
  return sprint;
}

/** Says what it has to say as soon as it runs, which takes no time that a limit could count, and is silent. */
const silent = `"/bin/sh" "-c" "echo thinking >&2; echo ready; exec sleep 600"`;

/** The processes of the agents, as the log has it. */
async function pidsOf(project: Parameters<typeof eventsOf>[0]) {
  return (await eventsOf(project)).flatMap((event) =>
    event.type === 'agent.started' ? [event.data.pid] : [],
  );
}

/** How the agents ended, as the log has it. */
async function exitsOf(project: Parameters<typeof eventsOf>[0]) {
  return (await eventsOf(project)).filter(({ type }) => type === 'agent.exited').map(({ data }) => data);
}

// Processes and their clocks: no log has a say in them.
describe('an agent that does not connect to Clifford', () => {
  const wired = (name: string) => agentCmd(name, '{mcpConfig}');

  it('within its limit is ended, and its attempt has failed with what it said last', async () => {
    const { root, project } = await sprintWith({
      agentCmd: `${silent} {mcpConfig}`,
      limits: { connect: 1_500 },
    });
    const { ended } = startRun(root, {});
    const reason = 'the agent did not connect to Clifford within 1500 ms: thinking';
    expect(await ended).toEqual(failed(reason));
    expect(await exitsOf(project)).toMatchObject([
      { signal: 'SIGTERM', reason: 'unconnected', detail: reason },
    ]);
    expect(await allGone(await pidsOf(project), 0)).toBe(true);
  });

  it('and exits has failed for that', async () => {
    const { root } = await sprintWith({ agentCmd: wired('give-up') });
    expect(await startRun(root, {}).ended).toEqual(
      failed('the agent ended before it connected to Clifford: I think I am done'),
    );
  });

  it('is nobody of whom that is expected where its command line has no place for the server', async () => {
    const { root } = await sprintWith({ agentCmd: agentCmd('busy-child', '300'), limits: { connect: 50 } });
    expect(await startRun(root, {}).ended).toEqual(done);
  });

  it('nor where it speaks the Agent Client Protocol and is none that Clifford knows', async () => {
    const steps = [{ run: 'sleep 0.5', unasked: true }];
    const { root } = await acpSprint(steps, undefined, {}, { limits: { connect: 50 } });
    expect(await startRun(root, {}).ended).toEqual(done);
  });
});

describe('an agent that is unresponsive', () => {
  it('is ended, and that is told and recorded', async () => {
    const { root, project } = await sprintWith({ agentCmd: silent, limits: { idle: 1_500 } });
    const { ended, runner } = startRun(root, {});
    const silences: SprintRunnerEvents['silence'][0][] = [];
    runner.on('silence', (silence) => silences.push(silence));
    expect(await ended).toEqual(failed('the agent was unresponsive for 1500 ms: thinking'));
    expect(silences).toMatchObject([{ task: 'a', limitMs: 1_500 }]);
    expect((await typesOf(project)).slice(-4)).toEqual([
      'agent.stalled',
      'agent.exited',
      'task.failed',
      'sprint.failed',
    ]);
    expect(await allGone(await pidsOf(project), 0)).toBe(true);
  });

  it.runIf(hasProcessTable)('but whose child works is left alone', async () => {
    const { root, project } = await sprintWith({
      agentCmd: agentCmd('busy-child', '1500'),
      limits: { idle: 700 },
    });
    expect(await startRun(root, {}).ended).toEqual(done);
    expect(await typesOf(project)).not.toContain('agent.stalled');
  });

  it("is left alone while a call of one of Clifford's tools is open", async () => {
    const { root, project } = await sprintWith({
      agentCmd: agentCmd('long-call', '1500'),
      limits: { idle: 400 },
    });
    expect(await startRun(root, {}).ended).toEqual(done);
    expect(await typesOf(project)).not.toContain('agent.stalled');
  });

  it('is ended when such a call takes too long, too', async () => {
    const limits = { idle: 300, tool: 600 };
    const { root } = await sprintWith({ agentCmd: agentCmd('long-call', '60000'), limits });
    expect(await startRun(root, {}).ended).toEqual(
      failed('the agent was unresponsive for 600 ms while it used a tool'),
    );
  });

  it('and does not care for SIGTERM is killed, with its children', async () => {
    const { root } = await sprintWith({ agentCmd: agentCmd('stubborn'), limits: { idle: 400 } });
    const { ended, printed } = startRun(root, { killGraceMs: 100 });
    const [, pid, child] = await printed(/ready (\d+) (\d+)/);
    expect(await ended).toMatchObject({ outcome: 'failed' });
    expect(await allGone([Number(pid), Number(child)], 0)).toBe(true);
  });
});

it('an agent that takes longer than an attempt may take is ended', async () => {
  const { root, project } = await sprintWith({ agentCmd: silent, limits: { attempt: 1_500 } });
  expect(await startRun(root, {}).ended).toEqual(failed('the agent took longer than 1500 ms: thinking'));
  expect(await exitsOf(project)).toMatchObject([{ reason: 'overtime' }]);
});

it('an agent that stays when its task is done is ended after the configured time', async () => {
  const { root, project } = await sprintWith({
    agentCmd: agentCmd('hang-after-completion'),
    limits: { exit: 50 },
  });
  expect(await startRun(root, {}).ended).toEqual(done);
  expect(await exitsOf(project)).toMatchObject([{ signal: 'SIGTERM', reason: 'finished' }]);
});

it('an agent that leaves children behind has failed when it left its task, too, and they end with it', async () => {
  const { root, project } = await sprintWith({ agentCmd: agentCmd('fork-and-leave') });
  const { ended, text } = startRun(root, { killGraceMs: 100 });
  expect(await ended).toEqual(failed('the agent ended without completing the task'));
  const children = [...text().matchAll(/child (\d+)/g)].map(([, pid]) => Number(pid));
  expect(children).toHaveLength(2);
  expect(await allGone(children, 0)).toBe(true);
  expect(await exitsOf(project)).toMatchObject([{ code: 0, signal: null }]);
});

it.runIf(hasProcessTable)('what such a child starts while it is ended ends with it, too', async () => {
  const { root, project } = await sprintWith({ agentCmd: agentCmd('leave-descendant') });
  expect(await startRun(root, {}).ended).toMatchObject({ outcome: 'failed' });
  const [started] = (await eventsOf(project)).filter((event) => event.type === 'agent.started');
  expect(findMarked('CLIFFORD_RUN_ID', started?.data.runId ?? '')).toEqual([]);
});

describe('an agent that floods its output', () => {
  it.each(['lines', 'one-line'])('with 100 MB of %s takes no memory to speak of', async (how) => {
    const { root, project } = await sprintWith({ agentCmd: agentCmd('flood', '100', how) });
    const runner = new SprintRunner({ mcpStateDir: join(root, '.clifford') });
    let [length, peak] = [0, 0];
    const before = process.memoryUsage().rss;
    runner.on('output', ({ text }) => {
      length += text.length;
      peak = Math.max(peak, process.memoryUsage.rss());
    });
    expect(await runner.run()).toEqual(done);
    // A last line without an end gets one.
    expect(length).toBe(100 * 1_048_576 + (how === 'one-line' ? 1 : 0));
    expect((peak - before) / 1_048_576).toBeLessThan(80);
    expect(await typesOf(project)).toContain('sprint.completed');
  });

  it('leaves the runner free to do what a human says', async () => {
    const { root, project } = await sprintWith({ agentCmd: agentCmd('flood', '1000000000') });
    const runner = new SprintRunner({ mcpStateDir: join(root, '.clifford'), killGraceMs: 100 });
    const { promise: flooding, resolve } = Promise.withResolvers<void>();
    runner.on('output', () => resolve());
    const ended = runner.run();
    await flooding;
    await skipTask(project, { stream: 'demo', taskId: 'a', by: 'me' });
    expect(await ended).toEqual({ ...done, reason: 'no task is left' });
    expect(await exitsOf(project)).toMatchObject([{ reason: 'stopped' }]);
  });
});
