import { expect, it, onTestFinished } from 'vitest';
import { tryHold } from '../../src/lib/files/kernel-lock.ts';
import { runnerLockPath } from '../../src/workflow/project/runner-lock.ts';
import { stopRun } from '../../src/workflow/sprint/stop-run.ts';
import { agentCmd, eventsOf, startRun } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { untilLogged } from '../mcp/support/project-log.ts';
import { acpSprint } from './support/acp-sprint.ts';

it('a run is ended from elsewhere: its agents are gone before it says so', async () => {
  const { root, project } = await acpSprint([{ awaits: 'go' }]);
  await expect(stopRun(project, { stream: 'demo', by: 'ann' })).rejects.toMatchObject({
    code: 'NOT_RUNNING',
  });
  const { ended } = startRun(root, {});
  await untilLogged(project, 'agent.started');
  await stopRun(project, { stream: 'demo', by: 'ann' });
  expect(await ended).toEqual({ outcome: 'stopped', reason: 'ann stopped it' });
  const types = (await eventsOf(project)).map(({ type }) => type);
  expect(types).toContain('runner.recalled');
  expect(types.slice(-2)).toEqual(['agent.exited', 'runner.left']);
});

it('a run that was stopped before it took the sprint up has not left it', async () => {
  const { root, project } = await projectWithSprint();
  const { runner, ended } = startRun(root, { agentCmd: agentCmd('complete') });
  await runner.stop('Ctrl-C');
  expect(await ended).toEqual({ outcome: 'stopped', reason: 'Ctrl-C' });
  expect((await eventsOf(project)).map(({ type }) => type)).toEqual(['sprint.created']);
});

it('a runner that has taken a sprint, and is about to record it, is ended', async () => {
  const { project } = await projectWithSprint();
  const lock = tryHold(runnerLockPath(project.dir, 'demo'));
  onTestFinished(() => lock?.release());
  const stopped = stopRun(project, { stream: 'demo', by: 'ann' });
  const took = { type: 'sprint.started', subject: 'demo', data: { runner: 'new', maxAttempts: 1 } } as const;
  await project.dispatch('demo', () => [took]);
  await stopped;
  expect((await eventsOf(project)).at(-1)).toMatchObject({
    type: 'runner.recalled',
    data: { runner: 'new', by: 'ann' },
  });
});
