import { expect, it } from 'vitest';
import { takeOffer } from '../../../src/runner/worker/take-offer.ts';
import { on } from '../../helpers/history.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it('a task that too many workers were lost with ends, with what an agent has left with one of them before it was verified', async () => {
  const { project } = await projectWithSprint();
  const run = { attempt: 1, runId: 'run-1' };
  await project.record('demo', [
    on('demo/a', 'offer.made', { worker: 'owner', base: 'base', needs: [] }),
    on('demo', 'sprint.started'),
    on('demo/a', 'offer.taken', { worker: 'helper', branch: 'a' }),
    on('demo/a', 'task.started', { ...run, done: 'exit-0' }),
    on('demo/a', 'agent.started', run),
    on('demo/a', 'agent.exited', { runId: 'run-1', code: 0, signal: null }),
  ]);
  const order = { stream: 'demo', taskId: 'a', worker: 'next', losses: 1, deadlineMs: 1_000 };
  expect(await takeOffer(project, order)).toMatchObject({ taken: 'exhausted' });
  const said = (await eventsOf(project)).slice(-3);
  expect(said.map(({ type }) => type)).toEqual(['offer.taken', 'agent.lost', 'offer.ended']);
});
