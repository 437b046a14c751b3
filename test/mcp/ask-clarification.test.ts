import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeAtomically } from '../../src/lib/files/write-atomically.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';
import { callWith, progressLog } from './support/call-with.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { eventsOf, untilAsked, untilLogged, untilOpen } from './support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const which = {
  question: 'Which database?',
  options: ['Postgres', 'SQLite'],
  context: 'One user, one machine',
};
const off =
  'Cannot wait for a clarification: ask_clarification is switched off here. Decide by yourself and say so ' +
  'when you complete the task; or, if you cannot go on without an answer, ask with request_help';

/** What the project's configuration says of clarifications from now on. */
async function configure(root: string, clarification: object): Promise<void> {
  await writeAtomically(join(root, 'clifford.json'), JSON.stringify({ clarification }));
}

describe('ask_clarification', () => {
  it('shows the options to the human, and returns the one chosen', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const answer = text('ask_clarification', { ...which, multiple: true });
    const { id, asked } = await untilAsked(project);
    expect(asked).toMatchObject({ ...which, multiple: true, kind: 'clarification', deadlineMs: 300_000 });
    await answerRequest(project, id, { ...human, response: 'SQLite', option: 1 });
    expect(await answer).toBe('SQLite');
    await untilLogged(project, 'help.delivered');
  });

  it('returns an answer in own words', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const answer = text('ask_clarification', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'a text file' });
    expect(await answer).toBe('a text file');
  });

  it('takes a question without options', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const answer = text('ask_clarification', { question: 'How many?', multiple: true });
    const { id, asked } = await untilAsked(project);
    expect(asked.options).toBeUndefined();
    expect(asked.multiple).toBeUndefined();
    await answerRequest(project, id, { ...human, response: '3' });
    expect(await answer).toBe('3');
  });

  it.each([
    { title: 'one option', args: { ...which, options: ['a'] }, names: 'options' },
    { title: 'an empty option', args: { ...which, options: ['a', ' '] }, names: 'options.1' },
    { title: 'two equal options', args: { ...which, options: ['a', 'b', ' a'] }, names: 'differ' },
    {
      title: 'too many options',
      args: { ...which, options: Array.from({ length: 21 }, (_, at) => `${at}`) },
      names: 'options',
    },
    { title: 'no question', args: { question: ' ' }, names: 'question' },
    { title: 'an argument it does not know', args: { ...which, choices: [] }, names: 'choices' },
  ])('refuses $title', async ({ args, names }) => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root);
    const result = await call('ask_clarification', args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(new RegExp(`^Cannot call ask_clarification: .*${names}`));
    expect(await eventsOf(project, 'help.requested')).toEqual([]);
  });
});

describe('whose clarification it is', () => {
  const active = (taskId: string) => ({ sprintDir: 'sprints/demo', taskId, status: 'active' });
  /** What one asks after the tasks became active, and which task it is then about. */
  async function taskOf(tasks: readonly string[], env: Record<string, string> = {}) {
    const { root, project } = await projectWithSprint();
    const { text, call } = await connectAgent(root, { env });
    for (const task of tasks) await text('update_task_status', active(task));
    call('ask_clarification', which).catch(() => undefined);
    const { stream, taskId } = await untilAsked(project);
    return { stream, taskId };
  }

  it('that of the only active task', async () => {
    expect(await taskOf(['b'])).toEqual({ stream: 'demo', taskId: 'b' });
  });

  it('the sprint’s when two are active, or none', async () => {
    expect(await taskOf(['a', 'b'])).toEqual({ stream: 'demo', taskId: undefined });
    expect(await taskOf([], { CURRENT_SPRINT_DIR: 'sprints/demo' })).toEqual({
      stream: 'demo',
      taskId: undefined,
    });
  });

  it('nobody’s where there is no sprint', async () => {
    const root = await tempRoot();
    const { call } = await connectAgent(root);
    call('ask_clarification', which).catch(() => undefined);
    const { stream, taskId } = await untilAsked(await openTestProject(root));
    expect({ stream, taskId }).toEqual({ stream: 'adhoc', taskId: undefined });
  });

  it('that of the task of its attempt', async () => {
    const { root, project } = await projectWithSprint();
    await project.dispatch('demo', () => [
      { type: 'sprint.started', subject: 'demo', data: { runner: 'runner', maxAttempts: 1 } },
      { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'runner', runId: 'run-1' } },
      { type: 'task.started', subject: 'demo/b', data: { attempt: 1, by: 'runner', runId: 'run-2' } },
    ]);
    const { text } = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-2' } });
    const answer = text('ask_clarification', which);
    const { id, taskId } = await untilAsked(project);
    expect(taskId).toBe('b');
    await answerRequest(project, id, { ...human, response: 'SQLite' });
    expect(await answer).toBe('SQLite');
  });

  it('stays where it was asked, whatever is active by now', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '50' } });
    await text('update_task_status', active('a'));
    expect(await text('ask_clarification', which)).toContain('No answer yet.');
    await text('update_task_status', active('b'));
    expect(await text('ask_clarification', which)).toContain('No answer yet.');
    const open = await untilOpen(project);
    expect(open.map(({ taskId }) => taskId)).toEqual(['a']);
  });
});

describe('the time limit of a clarification', () => {
  it('ends the call, tells the agent how to go on, and leaves the question open', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { defaultTimeout: 100 });
    const { call } = await connectAgent(root);
    const result = await call('ask_clarification', which);
    const { id, asked } = await untilAsked(project);
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toBe(
      'No answer within 0 s. Go on without it: take the safest reasonable assumption, and say so when you ' +
        `complete the task. The question (${id}) stays open; a later answer is handed over by ` +
        'get_sprint_context. To wait again, call ask_clarification with the same question.',
    );
    const [expired] = await untilLogged(project, 'help.expired');
    expect(expired?.data).toEqual({ requestId: id, afterMs: 100, agent: asked.origin.agent });
    expect((await untilAsked(project)).waiting.size).toBe(0);
    expect(await eventsOf(project, 'help.detached')).toEqual([]);
  });

  it('hands a later answer over with the sprint', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { defaultTimeout: 50 });
    const { text } = await connectAgent(root, { env: { CURRENT_SPRINT_DIR: 'sprints/demo' } });
    await text('ask_clarification', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'SQLite' });
    const context: unknown = JSON.parse(await text('get_sprint_context', { sprintDir: 'sprints/demo' }));
    expect(context).toMatchObject({
      guidance: { previousQuestion: which.question, humanResponse: 'SQLite' },
    });
  });

  it('lets the agent complete its task without an answer', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { defaultTimeout: 50 });
    const { text } = await connectAgent(root);
    const task = { sprintDir: 'sprints/demo', taskId: 'a' };
    await text('update_task_status', { ...task, status: 'active' });
    await text('ask_clarification', which);
    expect(await text('update_task_status', { ...task, status: 'completed' })).toBe('Task a is completed');
    const [request] = (await project.refresh()).streams.get('demo')?.requests.values() ?? [];
    expect(request?.phase).toBe('dismissed');
  });

  it('begins anew when the same words are asked again, of the same question', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { defaultTimeout: 400 });
    const { text } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '100' } });
    const expired = async () => (await text('ask_clarification', which)).startsWith('No answer within');
    while (!(await expired()));
    // Of 400 ms more than 100 are left.
    expect(await expired()).toBe(false);
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('is reached by a client that has to call again and again', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { defaultTimeout: 1_000 });
    const { text } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '300' } });
    const replies: string[] = [];
    do replies.push(await text('ask_clarification', which));
    while (replies.at(-1)?.startsWith('No answer yet.'));
    expect(replies.at(-1)).toContain('No answer within 1 s.');
    expect(replies.length).toBeGreaterThan(1);
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
    expect(await untilLogged(project, 'help.expired')).toHaveLength(1);
  });

  it('of 0 is none', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { defaultTimeout: 0 });
    const { text } = await connectAgent(root, { env: { CLIFFORD_WAIT_LIMIT_MS: '200' } });
    expect(await text('ask_clarification', which)).toMatch(
      /^No answer yet\. The question \(q-\S+\) stays open\. Call ask_clarification again with the same question/,
    );
    expect((await untilAsked(project)).asked.deadlineMs).toBeUndefined();
  });

  it('counts for the next call when it changes', async () => {
    const { root, project } = await projectWithSprint();
    const { client, text } = await connectAgent(root);
    const { onprogress, until } = progressLog();
    const first = callWith(client, 'ask_clarification', which, { onprogress });
    await until(1);
    await configure(root, { defaultTimeout: 1 });
    expect(await text('ask_clarification', { question: 'How many?' })).toContain('No answer within');
    const asked = await untilOpen(project, 2);
    await answerRequest(project, asked[0]?.id ?? '', { ...human, response: 'SQLite' });
    expect(await first).toBe('SQLite');
  });
});

describe('clarifications that are switched off', () => {
  it('are refused: what to do instead is said', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { enabled: false });
    const { call } = await connectAgent(root);
    const result = await call('ask_clarification', which);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe(off);
    expect(await eventsOf(project, 'help.requested')).toEqual([]);
  });

  it('while one waits: the call ends, the question stays', async () => {
    const { root, project } = await projectWithSprint();
    const { client } = await connectAgent(root);
    const { onprogress, until } = progressLog();
    const answer = callWith(client, 'ask_clarification', which, { onprogress });
    await until(1);
    await configure(root, { enabled: false });
    expect(await answer).toBe(off);
    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data.why).toBe('ask_clarification was switched off');
    expect(await untilOpen(project)).toHaveLength(1);
  });

  it('come back when they are switched on', async () => {
    const { root, project } = await projectWithSprint();
    await configure(root, { enabled: false });
    const { text } = await connectAgent(root);
    expect(await text('ask_clarification', which)).toBe(off);
    await rm(join(root, 'clifford.json'));
    const answer = text('ask_clarification', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'SQLite' });
    expect(await answer).toBe('SQLite');
  });
});
