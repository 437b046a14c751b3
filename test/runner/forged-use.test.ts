import { describe, expect, it } from 'vitest';
import { noUsage } from '../../src/machines/usage.ts';
import { forgeSnapshot } from '../helpers/forge-snapshot.ts';
import { opened, refused, saidSprint, tryAgainAt, turn } from '../helpers/said-sprint.ts';
import { recorded, startRun, typesOf } from '../helpers/sprint-run.ts';
import { writeSprint } from '../helpers/temp-project.ts';

const HOUR_MS = 3_600_000;
const waits = { wait: false, sprint: 'next' };

describe('a snapshot that somebody wrote', () => {
  it.each([
    ['nothing was spent', { day: '', usage: noUsage }],
    ['it was spent on another day', { day: '2020-01-01', usage: { input: 90, output: 20, costUsd: 0 } }],
  ])('and that says %s starts no agent beyond the budget of the day', async (_what, spending) => {
    const { root, project } = await saidSprint(
      { 'main-1': [opened('thread-1'), turn(90, 20), '!stay'] },
      { budget: { day: { tokens: 100 } } },
    );
    await writeSprint(root, { id: 'next', tasks: ['b'] });
    const reason = expect.stringContaining('is used up: 110 of 100 tokens; raise budget.day.tokens');
    expect(await startRun(root, { sprint: 'demo' }).ended).toEqual({ outcome: 'overspent', reason });
    await forgeSnapshot(root, ({ state }) => void (state.spending = spending));
    expect(await startRun(root, { sprint: 'next' }).ended).toEqual({ outcome: 'overspent', reason });
    expect(await typesOf(project, 'next')).not.toContain('agent.started');
  });

  it('and that has no usage limit starts no agent that was refused more', async () => {
    const { root, project } = await saidSprint({
      'main-1': [refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'],
    });
    await writeSprint(root, { id: 'next', tasks: ['b'] });
    expect(await startRun(root, { sprint: 'demo', wait: false }).ended).toMatchObject({ outcome: 'limited' });
    await forgeSnapshot(root, ({ state }) => void (state.limits = []));
    expect(await startRun(root, waits).ended).toMatchObject({
      outcome: 'limited',
      reason: expect.stringContaining('usage limit of main'),
    });
    expect(await typesOf(project, 'next')).not.toContain('agent.started');
  });

  it('and that has a usage limit which nobody reported keeps no agent from its work', async () => {
    const { root, project } = await saidSprint({ 'main-1': ['!complete'] });
    await startRun(root, { sprint: 'demo' }).ended;
    await writeSprint(root, { id: 'next', tasks: ['b'] });
    await forgeSnapshot(root, ({ state }) => {
      const at = new Date().toISOString();
      const resetsAt = new Date(Date.now() + HOUR_MS).toISOString();
      state.limits = [{ runId: 'run-1', message: 'no more', agent: 'main', at, resetsAt, times: 1 }];
    });
    const started = recorded(project, 'agent.started', 'next');
    const { ended } = startRun(root, waits);
    await Promise.race([started, ended]);
    expect(await typesOf(project, 'next')).toContain('agent.started');
  });
});
