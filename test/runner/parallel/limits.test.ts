import { beforeEach, expect, it } from 'vitest';
import { opened, refused, saidSprint, tryAgainAt } from '../../helpers/said-sprint.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { parallelSprint } from './support.ts';

const HOUR_MS = 3_600_000;

beforeEach(withoutGitConfig);

describeOnEachEngine('of several tasks at once', () => {
  it('none is begun any more once the agent of one has reached its usage limit', async () => {
    const limited = [opened('t'), refused(tryAgainAt(Date.now() + HOUR_MS)), '!exit 1'];
    const { root, project } = await saidSprint({ 'main-1': limited }, {}, ['a', 'b', 'c', 'd']);
    makeRepository(root).commitAll();
    expect(await startRun(root, { wait: false, parallel: 2 }).ended).toMatchObject({ outcome: 'limited' });
    const started = (await eventsOf(project)).filter(({ type }) => type === 'agent.started');
    // The second may have begun before the first was refused.
    expect([1, 2]).toContain(started.length);
  });

  it('none is begun any more once their sprint has spent its budget, whoever spent it', async () => {
    const tasks = { a: {}, b: {}, c: {} };
    const sprint = await parallelSprint(tasks, { config: { budget: { sprint: { tokens: 1 } } } });
    const { ended } = sprint.run({ wait: false });
    await sprint.project.until((state) => state.streams.get('demo')?.tasks.get('a')?.worktree);
    const spent = { runId: 'run-elsewhere', tokens: { input: 5, output: 5 } };
    await sprint.project.record('demo', [{ type: 'agent.usage', subject: 'demo/a', data: spent }]);
    const end = await ended;
    const started = (await eventsOf(sprint.project)).filter(({ type }) => type === 'agent.started');
    expect({ outcome: end.outcome, all: started.length < 3 }).toEqual({ outcome: 'overspent', all: true });
  });
});
