import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { findRequest } from '../../src/workflow/requests/find-request.ts';
import { agentHere } from '../helpers/agent-here.ts';
import {
  agentCmd,
  eventsOf,
  freshSprint,
  leftOpen,
  startRun,
  taskBecomes,
  typesOf,
} from '../helpers/sprint-run.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };
const asksHuman = { outcome: 'blocked', reason: 'a human has to answer a: Which port?' };

async function answer(project: Project, response: string): Promise<void> {
  const { id } = findRequest(await project.refresh(), 'last');
  await answerRequest(project, id, { response, by: 'me', via: 'cli' });
}

describe('an agent that asks', () => {
  it('and waits goes on with the answer; whoever runs it is told of the halt once', async () => {
    const { root, project } = await freshSprint();
    const { runner, ended, text } = startRun(root, { agentCmd: agentCmd('ask') });
    const halts: unknown[] = [];
    runner.on('halt', (halt) => halts.push(halt));
    await taskBecomes(project, 'blocked.question');
    await answer(project, '8080');
    expect(await ended).toEqual(done);
    expect(halts).toMatchObject([{ sprint: 'demo', task: 'a', kind: 'help', question: 'Which port?' }]);
    expect(text()).toBe('answer: 8080\n');
  });

  it('and leaves is followed by the next attempt when the answer comes; that costs no attempt', async () => {
    const { root, project } = await freshSprint();
    const { ended } = startRun(root, { agentCmd: agentHere('ask-and-leave') });
    await leftOpen(project);
    await answer(project, '8080');
    expect(await ended).toEqual(done);
    const starts = (await eventsOf(project)).filter(({ type }) => type === 'task.started');
    expect(starts.map(({ data }) => data)).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  });

  it('and leaves is followed by an attempt of a later run, also when the answer came in between', async () => {
    const { root, project } = await freshSprint();
    const command = agentHere('ask-and-leave');
    expect(await startRun(root, { agentCmd: command, wait: false }).ended).toEqual(asksHuman);
    expect(await startRun(root, { agentCmd: command, wait: false }).ended).toEqual(asksHuman);
    await answer(project, '8080');
    expect(await startRun(root, { agentCmd: command }).ended).toEqual(done);
  });
});

it('a run that does not wait stops the agent that does, and the question stays open', async () => {
  const { root, project } = await freshSprint();
  expect(await startRun(root, { agentCmd: agentCmd('ask'), wait: false }).ended).toEqual(asksHuman);
  const types = await typesOf(project);
  expect(types.slice(types.indexOf('help.requested'))).toEqual([
    'help.requested',
    'agent.exited',
    'runner.left',
  ]);

  const next = startRun(root, { agentCmd: agentCmd('ask') });
  expect(await once(next.runner, 'halt')).toMatchObject([{ question: 'Which port?' }]);
  await answer(project, '9090');
  expect(await next.ended).toEqual(done);
  expect(next.text()).toBe('answer: 9090\n');
});
