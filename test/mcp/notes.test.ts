import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { sendNote } from '../../src/workflow/notes/send-note.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { describeSprint } from '../../src/views/sprints/describe-sprint.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { untilFile } from '../helpers/until-file.ts';
import { connectAgent, textOf, type TestAgent } from './support/connect-agent.ts';
import { eventsOf, untilAsked, untilLogged } from './support/project-log.ts';
import { startAttempt } from './support/start-attempt.ts';

const sprintDir = 'sprints/demo';
const note = (project: Project, text = 'Leave the API as it is') =>
  sendNote(project, { stream: 'demo', taskId: 'a', text, by: 'ann', via: 'cli' });

async function attempt(): Promise<{ project: Project; root: string; agent: TestAgent }> {
  const { root, project } = await projectWithSprint();
  await startAttempt(project, 'a', 'run-1');
  return { root, project, agent: await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } }) };
}

/** How many notes its view says that no agent has heard. */
function unheardIn({ state }: Project): number | undefined {
  const sprint = state.streams.get('demo');
  return sprint && describeSprint(sprint).tasks[0]?.unheard;
}

const complete = { sprintDir, taskId: 'a', status: 'completed' };
const texts = async (agent: TestAgent, name: string, args: object) =>
  (await agent.call(name, args)).content.map((part) => (part.type === 'text' ? part.text : part.type));

it('a note comes with the result of the next call, once, beside what the call says', async () => {
  const { project, agent } = await attempt();
  await note(project);
  await note(project, 'And the tests');
  const unheard = () => unheardIn(project);
  expect(unheard()).toBe(2);
  const [own, told, ...more] = await texts(agent, 'update_changelog', { entries: ['x'], sprintDir });
  expect(more).toEqual([]);
  expect(own).not.toContain('API');
  expect(told).toMatch(
    /^Notes from the human about your task\. .*\n\nLeave the API as it is\n\nAnd the tests$/,
  );
  await untilLogged(project, 'note.delivered', 2);
  expect(unheard()).toBeUndefined();
  expect(await texts(agent, 'update_changelog', { entries: ['y'], sprintDir })).toHaveLength(1);
  expect(await eventsOf(project, 'note.taken', 'note.delivered')).toMatchObject([
    { type: 'note.taken', subject: 'demo/a', data: { to: 'run-1', way: 'call' } },
    { type: 'note.taken' },
    { type: 'note.delivered', data: { to: 'run-1', way: 'call' } },
    { type: 'note.delivered' },
  ]);
});

it('is read with the sprint, also by a later attempt, which it is delivered to no second time', async () => {
  const { root, project, agent } = await attempt();
  await note(project);
  const context = { notes: ['Leave the API as it is'] };
  expect(JSON.parse(await agent.text('get_sprint_context', { sprintDir }))).toMatchObject(context);
  await untilLogged(project, 'note.delivered');
  expect(JSON.parse(await agent.text('get_sprint_context', { sprintDir }))).not.toHaveProperty('notes');
  await project.record('demo', [
    { type: 'agent.lost', subject: 'demo/a', data: { runId: 'run-1', reason: 'killed' } },
  ]);
  await startAttempt(project, 'a', 'run-2');
  const next = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-2' } });
  expect(JSON.parse(await next.text('get_sprint_context', { sprintDir }))).toMatchObject(context);
  expect(await eventsOf(project, 'note.delivered')).toHaveLength(1);
});

it('a task is not completed before its agent has heard it', async () => {
  const { project, agent } = await attempt();
  await note(project);
  const refused = await agent.call('update_task_status', complete);
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toMatch(/Cannot complete task a yet.*Leave the API as it is/);
  expect(await agent.text('update_task_status', complete)).toBe('Task a is completed');
});

it('nor is one that was verified meanwhile', async () => {
  const { root, project, agent } = await attempt();
  const verify = [`sh -c 'echo >begun; while [ ! -e go ]; do sleep 0.02; done'`];
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ verify }));
  const completing = agent.call('update_task_status', complete);
  await untilFile(join(root, 'begun'));
  await note(project);
  await writeFile(join(root, 'go'), '');
  expect(JSON.stringify((await completing).content)).toMatch(
    /Cannot complete task a yet.*Leave the API as it is/,
  );
  expect(await agent.text('update_task_status', complete)).toBe('Task a is completed');
});

it('answers no question: the agent that waits goes on waiting, and hears it with the answer', async () => {
  const { project, agent } = await attempt();
  const asking = agent.call('request_help', { task: 'a', reason: '', question: 'Which port?' });
  const { id } = await untilAsked(project);
  await note(project);
  expect((await untilAsked(project)).id).toBe(id);
  await answerRequest(project, id, { response: '8080', by: 'ann', via: 'cli' });
  const { content } = await asking;
  expect(content).toMatchObject([{ text: '8080' }, { text: expect.stringContaining('the API') }]);
});

it('other agents do not hear it: of another task, of no attempt, of one that has ended', async () => {
  const { root, project } = await attempt();
  await startAttempt(project, 'b', 'run-b');
  const other = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-b' } });
  const editor = await connectAgent(root);
  await note(project);
  for (const agent of [other, editor])
    expect(textOf(await agent.call('update_changelog', { entries: ['x'], sprintDir }))).not.toContain('API');
  expect(JSON.parse(await editor.text('get_sprint_context', { sprintDir }))).not.toHaveProperty('notes');
  expect(await eventsOf(project, 'note.taken')).toEqual([]);
});

it('of a call that was cancelled it waits for the next one', async () => {
  const { project, agent } = await attempt();
  const leaving = new AbortController();
  const question = { task: 'a', reason: '', question: 'Which port?' };
  const asking = agent.call('request_help', question, leaving.signal);
  asking.catch(() => undefined);
  await untilAsked(project);
  await note(project);
  leaving.abort('enough');
  await expect(asking).rejects.toThrow('enough');
  await untilLogged(project, 'tool.failed');
  const told = await texts(agent, 'update_changelog', { entries: ['x'], sprintDir });
  expect(told.join('\n')).toContain('Leave the API as it is');
  expect(await untilLogged(project, 'note.delivered')).toHaveLength(1);
});
