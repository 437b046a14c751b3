import { describe, expect, it, vi } from 'vitest';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { agentHere } from '../helpers/agent-here.ts';
import {
  opened,
  refused,
  said,
  saidSprint,
  sayingAgent,
  tryAgainAt,
  turn,
  turnFailed,
} from '../helpers/said-sprint.ts';
import { eventsOf, recorded, startRun, typesOf } from '../helpers/sprint-run.ts';
import { writeSprint } from '../helpers/temp-project.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const HOUR_MS = 3_600_000;

const named = (events: readonly StoredEvent[]) =>
  events.flatMap((event) => (event.type === 'agent.started' ? [event.data.agent] : []));

describe('an agent that reports a usage limit', () => {
  it('is followed by one that goes on with its session, and no attempt is burned', async () => {
    const { root, project } = await saidSprint({
      'main-1': [opened('thread-1'), refused(tryAgainAt(Date.now() - 120_000)), '!exit 1'],
      'main-2': ['!arguments', '!complete'],
    });
    const { ended, text } = startRun(root, {});
    expect(await ended).toEqual(done);
    expect(text()).toContain('--resume thread-1');
    const events = await eventsOf(project);
    expect(events.find(({ type }) => type === 'agent.exited')?.data).toMatchObject({
      code: 1,
      reason: 'limited',
      detail: expect.stringContaining('You’ve hit your usage limit'),
    });
    expect(events.map(({ type }) => type)).not.toContain('task.retried');
  });

  it('whose end is over already is not asked again at once', async () => {
    const { root, project } = await saidSprint(
      { 'main-1': [refused(tryAgainAt(Date.now() - 120_000)), '!exit 1'], 'main-2': ['!stay'] },
      // Whatever is waited for then is the next attempt.
      { limits: { connect: 0, idle: 0, tool: 0, exit: 0, attempt: 0 } },
    );
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { runner } = startRun(root, { retryDelayMs: 30_000 });
    const delays = () => timers.mock.calls.map(([, delayMs = 0]) => delayMs);
    await vi.waitFor(() => expect(Math.max(...delays())).toBeGreaterThan(10_000), { timeout: 30_000 });
    await runner.stop();
    expect(named(await eventsOf(project))).toEqual(['main']);
  });

  it('and then nothing more is ended for that', async () => {
    const { root, project } = await saidSprint(
      { 'main-1': [refused(tryAgainAt(Date.now() - 120_000)), '!stay'], 'main-2': ['!complete'] },
      { limits: { exit: 50 } },
    );
    expect(await startRun(root, {}).ended).toEqual(done);
    const exit = (await eventsOf(project)).find(({ type }) => type === 'agent.exited');
    expect(exit?.data).toMatchObject({ signal: 'SIGTERM', reason: 'limited' });
  });

  it('ends a run that does not wait', async () => {
    const { root, project } = await saidSprint({ 'main-1': [refused('try again later'), '!exit 1'] });
    expect(await startRun(root, { wait: false }).ended).toEqual({
      outcome: 'limited',
      reason: expect.stringMatching(
        /^task a: the usage limit of main is reached, it continues at .*\d\d:\d\d$/,
      ),
    });
    expect((await typesOf(project)).slice(-3)).toEqual(['agent.limited', 'agent.exited', 'runner.left']);
  });

  it('is waited for, also by a later run, until somebody stops it', async () => {
    const at = Date.now() + HOUR_MS;
    const { root } = await saidSprint({ 'main-1': [refused(tryAgainAt(at)), '!exit 1'] });
    await startRun(root, { wait: false }).ended;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { runner, ended } = startRun(root, {});
    const [wait] = await new Promise<{ task: string; until: number }[]>((resolve) =>
      runner.once('wait', (...said) => resolve(said)),
    );
    expect(wait).toMatchObject({ task: 'a' });
    expect(Math.abs((wait?.until ?? 0) - at)).toBeLessThan(120_000);
    await runner.stop('Ctrl-C');
    expect(await ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
    // No timer goes on while a machine is suspended: the clock is looked at again and again.
    const delays = timers.mock.calls.map(([, delayMs = 0]) => delayMs);
    expect(Math.max(...delays)).toBe(60_000);
  });

  it('is tried again when the limit has ended', async () => {
    const { root, project } = await saidSprint({
      'main-1': [opened('thread-1'), refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
      'main-2': ['!arguments', '!complete'],
    });
    await startRun(root, { wait: false }).ended;
    const limited = (await eventsOf(project)).find((event) => event.type === 'agent.limited');
    if (limited?.type !== 'agent.limited') throw new Error('it was not limited');
    const data = { ...limited.data, resetsAt: new Date(Date.now() - 2_000).toISOString() };
    await project.record('demo', [{ type: 'agent.limited', subject: 'demo/a', data }]);
    const { runner, ended, text } = startRun(root, {});
    const waits: string[] = [];
    runner.on('wait', ({ why }) => waits.push(why));
    expect(await ended).toEqual(done);
    expect(waits).toHaveLength(1);
    expect(text()).toContain('--resume thread-1');
  });

  it('is stood in for by the other agent, with a session and a model of its own', async () => {
    const other = { ...sayingAgent('other'), command: agentHere('say', 'other', '{model}'), model: 'own' };
    const { root, project } = await saidSprint(
      {
        'main-1': [opened('thread-1'), refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
        'other-2': ['!arguments', opened('thread-2'), '!complete'],
      },
      { fallback: 'other', model: 'only-of-main', agents: { main: sayingAgent('main'), other } },
    );
    const { ended, text } = startRun(root, {});
    expect(await ended).toEqual(done);
    expect(named(await eventsOf(project))).toEqual(['main', 'other']);
    expect(text()).toMatch(/^own$/m);
    expect(text()).not.toContain('--resume');
  });

  it('is stood in for at once in the next task, too', async () => {
    const { root, project } = await saidSprint(
      {
        'main-1': [refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
        'other-1': ['!complete'],
        'other-2': ['!complete'],
      },
      { fallback: 'other' },
      ['a', 'b'],
    );
    expect(await startRun(root, {}).ended).toEqual(done);
    expect(named(await eventsOf(project))).toEqual(['main', 'other', 'other']);
  });

  it('is not asked for another sprint before its limit ends', async () => {
    const { root, project } = await saidSprint({
      'main-1': [refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
    });
    await startRun(root, { wait: false }).ended;
    await writeSprint(root, { id: 'next' });
    expect(await startRun(root, { sprint: 'next', wait: false }).ended).toEqual({
      outcome: 'limited',
      reason: expect.stringMatching(
        /^task a: the usage limit of main is reached, it continues at .*\d\d:\d\d$/,
      ),
    });
    expect(named(await eventsOf(project, 'next'))).toEqual([]);
  });

  it('is waited for no longer when another sprint’s run finds that it got past it', async () => {
    const { root, project } = await saidSprint({
      'main-1': [refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
      'main-2': ['!complete'],
    });
    await startRun(root, { wait: false }).ended;
    const { runner, ended } = startRun(root, {});
    await new Promise((resolve) => runner.once('wait', resolve));
    await writeSprint(root, { id: 'next', tasks: ['a', 'b'] });
    expect(await startRun(root, { sprint: 'next', despiteLimit: true, wait: false }).ended).toEqual(
      expect.objectContaining({ outcome: 'limited' }),
    );
    const [last] = (await eventsOf(project, 'next')).filter(({ type }) => type === 'agent.limited');
    if (last?.type !== 'agent.limited') throw new Error('it was not limited');
    await project.record('next', [
      { type: 'agent.continued', subject: 'next/a', data: { runId: last.data.runId } },
    ]);
    expect(await ended).toEqual(done);
  });

  it('goes on with its session after Ctrl-C, at once where its limit is not waited for', async () => {
    const { root } = await saidSprint({
      'main-1': [opened('thread-1'), refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
      'main-2': ['!arguments', refused(tryAgainAt(Date.now() + 2 * HOUR_MS)), '!exit 1'],
      'main-3': ['!arguments', '!complete'],
    });
    const first = startRun(root, {});
    await new Promise((resolve) => first.runner.once('wait', resolve));
    await first.runner.stop('Ctrl-C');
    expect(await first.ended).toMatchObject({ outcome: 'stopped' });
    const second = startRun(root, { despiteLimit: true, wait: false });
    // Refused again it waits, or does not.
    expect(await second.ended).toMatchObject({ outcome: 'limited' });
    expect(second.text()).toContain('--resume thread-1');
    const third = startRun(root, { despiteLimit: true });
    expect(await third.ended).toEqual(done);
    expect(third.text()).toContain('--resume thread-1');
  });

  it('and works on has none left, however its run ends', async () => {
    const { root, project } = await saidSprint({
      'main-1': [opened('thread-1'), refused(tryAgainAt(Date.now() + HOUR_MS)), said('It goes on.'), '!stay'],
      'main-2': ['!complete'],
    });
    const { runner } = startRun(root, {});
    await recorded(project, 'agent.continued');
    await runner.stop('Ctrl-C');
    expect(await startRun(root, {}).ended).toEqual(done);
  });

  it('has its turn again when the other agent reports one that lasts longer', async () => {
    const { root, project } = await saidSprint(
      {
        'main-1': [opened('thread-1'), refused(tryAgainAt(Date.now() - 120_000)), '!exit 1'],
        'main-2': [refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
        'other-3': [refused(tryAgainAt(Date.now() + 2 * HOUR_MS)), '!exit 1'],
      },
      { fallback: 'other' },
    );
    expect(await startRun(root, { wait: false }).ended).toMatchObject({
      outcome: 'limited',
      reason: expect.stringContaining('usage limit of main'),
    });
    expect(named(await eventsOf(project))).toEqual(['main', 'main', 'other']);
  });

  it('and cannot be stood in for stops the run before it begins', async () => {
    const { root } = await saidSprint({}, { fallback: 'nobody' });
    await expect(startRun(root, {}).ended).rejects.toMatchObject({ code: 'AGENT_UNKNOWN' });
  });
});

describe('an agent that used up a budget', () => {
  const says = {
    'main-1': [opened('thread-1'), turn(90, 20), '!stay'],
    'main-2': ['!arguments', '!complete'],
  };

  it('is ended, and goes on with its session once the budget was raised', async () => {
    const { root, project, configure } = await saidSprint(says, { budget: { task: { tokens: 100 } } });
    const reason = 'task a has used up its budget: 110 of 100 tokens; raise budget.task.tokens to go on';
    expect(await startRun(root, {}).ended).toEqual({ outcome: 'overspent', reason });
    const exit = (await eventsOf(project)).find(({ type }) => type === 'agent.exited');
    expect(exit?.data).toMatchObject({ reason: 'overspent', detail: reason });

    const before = (await typesOf(project)).filter((type) => type === 'agent.started');
    expect(await startRun(root, {}).ended).toEqual({ outcome: 'overspent', reason });
    expect((await typesOf(project)).filter((type) => type === 'agent.started')).toEqual(before);

    await configure({ budget: { task: { tokens: 1_000 } } });
    const { ended, text } = startRun(root, {});
    expect(await ended).toEqual(done);
    expect(text()).toContain('--resume thread-1');
    expect(await typesOf(project)).not.toContain('task.retried');
  });
});

describe('an agent that prints structured output', () => {
  it('and does not exit when its turn is over has failed', async () => {
    const { root } = await saidSprint({ 'main-1': [turn(1, 1), '!stay'] }, { limits: { exit: 60 } });
    const why = 'the agent ended its turn without completing the task, and did not exit within 60 ms';
    expect(await startRun(root, {}).ended).toEqual({ outcome: 'failed', reason: `task a failed: ${why}` });
  });

  it('and says what no log can take ends no run for that', async () => {
    const { root, project } = await saidSprint({
      'main-1': [opened('s'.repeat(1_000)), turnFailed(`bad request: ${'x'.repeat(100_000)}`), '!complete'],
    });
    expect(await startRun(root, {}).ended).toEqual(done);
    expect(await typesOf(project)).not.toContain('agent.sessionopened');
  });

  it('and says that its key is wrong has failed for good: another attempt would fail as well', async () => {
    const { root, project } = await saidSprint({
      'main-1': [turnFailed('unexpected status 401 Unauthorized: wrong key'), '!exit 1'],
    });
    expect(await startRun(root, { maxAttempts: 3 }).ended).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^task a failed: the agent exited with code 1: its provider .*wrong key$/,
      ),
    });
    expect(await typesOf(project)).not.toContain('task.retried');
  });

  it('and says that it cannot connect to Clifford is ended at once', async () => {
    const message = 'required MCP servers failed to initialize: clifford: spawn ENOENT';
    const { root } = await saidSprint(
      { 'main-1': [`!error Error: ${message}`, '!stay'] },
      {
        agents: { main: { ...sayingAgent('main'), command: agentHere('say', 'main', '{mcpConfig}') } },
      },
    );
    expect(await startRun(root, {}).ended).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^task a failed: the agent did not connect to Clifford: MCP server clifford: failed \(spawn ENOENT\)/,
      ),
    });
  });
});
