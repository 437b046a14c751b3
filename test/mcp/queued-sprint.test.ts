import { expect, it } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { untilAsked } from './support/project-log.ts';

const sprintDir = 'sprints/demo';

/** An agent that no runner has started, in a project whose sprint waits in the queue. */
async function atQueuedSprint() {
  const { root, project } = await projectWithSprint();
  await project.dispatch('demo', () => [{ type: 'job.added', subject: 'demo', data: { by: 'ada' } }]);
  return { project, ...(await connectAgent(root)) };
}

it('a task of a sprint that waits in the queue is started by a worker, and by no agent that came by itself', async () => {
  const { project, call, client } = await atQueuedSprint();
  const refused = await call('update_task_status', { sprintDir, taskId: 'a', status: 'active' });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain('Cannot start task a: sprint demo waits in the queue for a worker');
  expect(textOf(refused)).toContain('clifford queue cancel demo');
  const early = await call('update_task_status', { sprintDir, taskId: 'a', status: 'completed' });
  expect(textOf(early)).not.toMatch(/active|clifford run/);
  const { messages } = await client.getPrompt({ name: 'work-on-next-task', arguments: {} });
  expect(JSON.stringify(messages)).toContain('waits in the queue for a worker, which will start its tasks');

  await project.dispatch('demo', () => [{ type: 'job.cancelled', subject: 'demo', data: { by: 'ada' } }]);
  const taken = await call('update_task_status', { sprintDir, taskId: 'a', status: 'active' });
  expect(textOf(taken)).toBe('Task a is active');
});

it('a question about a task of such a sprint is asked, and starts nothing', async () => {
  const { project, text } = await atQueuedSprint();
  await text('get_sprint_context', { sprintDir });
  const asked = text('request_help', { task: 'a', question: 'Which port?', reason: 'Two are free' });
  const { id, taskId } = await untilAsked(project);
  expect(taskId).toBeUndefined();
  expect(project.state.streams.get('demo')?.tasks.get('a')?.machine.value).toBe('pending');
  await answerRequest(project, id, { by: 'bob', via: 'tui', response: '8080' });
  expect(await asked).toBe('8080');
});
