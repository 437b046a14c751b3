import type { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { eventsOf, untilAsked, untilLogged, untilOpen } from './support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const which = { task: 'a', reason: 'two ways', question: 'Which colour?' };

describe('request_help', () => {
  it('returns what a human answered through another process, word for word', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const answer = text('request_help', which);

    const { id, asked } = await untilAsked(project);
    expect(asked).toMatchObject({ ...which, kind: 'help', origin: { client: 'agent' } });
    await answerRequest(project, id, { ...human, response: '  blue,\nplease ' });

    expect(await answer).toBe('  blue,\nplease ');
    const [delivered] = await untilLogged(project, 'help.delivered');
    expect(delivered?.data).toEqual({ requestId: id, to: asked.origin.agent });
  });

  it('is in the log with its question, and its end with the delivery: both or neither', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    for (const response of ['blue', 'red']) {
      const answer = text('request_help', which);
      await answerRequest(project, (await untilAsked(project)).id, { ...human, response });
      expect(await answer).toBe(response);
      await untilLogged(project, 'tool.returned', response === 'blue' ? 1 : 2);
    }
    const events = await eventsOf(project);
    const second = events.slice(events.findLastIndex(({ type }) => type === 'tool.requested'));
    expect(second.map(({ type, following = 0 }) => `${type} ${following}`)).toEqual([
      'tool.requested 1',
      'help.requested 0',
      'help.answered 0',
      'help.delivered 1',
      'tool.returned 0',
    ]);
  });

  it('waits for nothing that a program asks at its prompt', async () => {
    const { root, project, stream } = await projectWithSprint();
    const { id } = await ask(project, {
      stream,
      kind: 'prompt',
      agent: { id: 'run-1' },
      task: 'a',
      question: 'Password:',
    });
    await answerRequest(project, id, { ...human, response: 'sonnen_blume9' });
    const { text } = await connectAgent(root);
    const said = await text('request_help', { ...which, requestId: id });
    expect(said).toContain(`Cannot wait for ${id}: a program asks that at its prompt`);
    expect(await eventsOf(project, 'help.delivered')).toEqual([]);
  });

  it('says so when the answer is empty', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const answer = text('request_help', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: ' \u200B' });
    expect(await answer).toBe('The human sent an empty answer');
  });

  it('tells the agent that the human dismissed the question, and why', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const answer = text('request_help', which);
    const { id } = await untilAsked(project);
    await dismissRequest(project, id, { ...human, reason: 'it does not matter' });

    expect(await answer).toBe(
      `The human dismissed this question (${id}) without an answer. Reason: it does not matter. Do not ask ` +
        'it again: go on with your best judgement, or leave that part out and say so when you complete the task.',
    );
    await untilLogged(project, 'help.delivered');
  });

  it('waits for several answers at once', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const words = ['one', 'two', 'three'];
    const answers = words.map((question) => text('request_help', { ...which, question }));
    for (const { id, asked } of (await untilOpen(project, 3)).toReversed()) {
      await answerRequest(project, id, { ...human, response: `to ${asked.question}` });
    }
    expect(await Promise.all(answers)).toEqual(['to one', 'to two', 'to three']);
  });

  it('starts a pending task that the question is about', async () => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root, { env: { CURRENT_SPRINT_DIR: 'sprints/demo' } });
    void call('request_help', which).catch(() => undefined);
    const { stream, taskId } = await untilAsked(project);
    expect({ stream, taskId }).toEqual({ stream: 'demo', taskId: 'a' });
    expect(project.state.streams.get('demo')?.tasks.get('a')?.machine.value).toEqual({ blocked: 'question' });
  });
});

describe('a call that ends without an answer', () => {
  it('leaves the question open, and the same question gets the late answer', async () => {
    const { root, project } = await projectWithSprint();
    const { call, text } = await connectAgent(root);
    const cancel = new AbortController();
    const cancelled = call('request_help', which, cancel.signal);
    const { id, asked } = await untilAsked(project);
    cancel.abort('time is up');
    await expect(cancelled).rejects.toThrow('time is up');

    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data).toEqual({
      requestId: id,
      agent: asked.origin.agent,
      why: 'the call was cancelled: time is up',
    });
    expect((await untilAsked(project)).id).toBe(id);

    await answerRequest(project, id, { ...human, response: 'blue' });
    expect(await text('request_help', { ...which, question: ' which  COLOUR? ' })).toBe('blue');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('is not brought about by a cancel that comes after the result', async () => {
    const { root, project } = await projectWithSprint();
    const { client, text } = await connectAgent(root);
    const answer = text('request_help', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'blue' });
    await answer;
    for (let requestId = 0; requestId < 5; requestId += 1) {
      await client.notification({ method: 'notifications/cancelled', params: { requestId } });
    }
    await text('get_sprint_context', { sprintDir: 'sprints/demo' });
    await untilLogged(project, 'tool.returned', 2);
    expect(await eventsOf(project, 'help.detached')).toEqual([]);
  });

  it('counts as delivered only when the result has left', async () => {
    const { root, project } = await projectWithSprint();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const open = () => {
      reached.resolve();
      return gate.promise;
    };
    const { text } = await connectAgent(root, { wrap: (inner) => holdResults(inner, open) });
    const answer = text('request_help', which);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'blue' });
    await reached.promise;
    expect(await eventsOf(project, 'help.delivered', 'tool.returned')).toEqual([]);
    gate.resolve();
    expect(await answer).toBe('blue');
    await untilLogged(project, 'help.delivered');
  });

  it('keeps the answer for later when the result cannot be sent', async () => {
    const { root, project } = await projectWithSprint();
    const broken = await connectAgent(root, {
      wrap: (inner) => holdResults(inner, () => Promise.reject(new Error('EPIPE'))),
    });
    broken.server.on('error', () => undefined);
    void broken.call('request_help', which).catch(() => undefined);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'blue' });
    const [failed] = await untilLogged(project, 'tool.failed');
    expect(failed?.data.error).toBe('the result did not reach the agent: EPIPE');
    expect(await eventsOf(project, 'help.delivered')).toEqual([]);

    const { text } = await connectAgent(root);
    expect(await text('request_help', which)).toBe('blue');
  });
});

describe('asking again', () => {
  it('joins two agents that ask the same question', async () => {
    const { root, project } = await projectWithSprint();
    const [one, two] = [await connectAgent(root, { name: 'one' }), await connectAgent(root, { name: 'two' })];
    const first = one.text('request_help', which);
    const { id } = await untilAsked(project);
    const second = two.text('request_help', which);
    await untilLogged(project, 'tool.requested', 2);
    await answerRequest(project, id, { ...human, response: 'blue' });

    expect(await Promise.all([first, second])).toEqual(['blue', 'blue']);
    const delivered = await untilLogged(project, 'help.delivered', 2);
    expect(new Set(delivered.map(({ data }) => data.to)).size).toBe(2);
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('is a new question once the agent has the answer', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const first = text('request_help', which);
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { ...human, response: 'blue' });
    await first;
    await untilLogged(project, 'help.delivered');

    const second = text('request_help', which);
    const again = await untilAsked(project);
    expect(again.asked.follows).toBe(id);
    await answerRequest(project, again.id, { ...human, response: 'red' });
    expect(await second).toBe('red');
  });

  it('attaches to the question a requestId names, and gets its answer as often as it asks', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const first = text('request_help', which);
    const { id } = await untilAsked(project);
    const attached = (await connectAgent(root)).text('request_help', {
      task: 'a',
      reason: '',
      question: 'something else',
      requestId: id,
    });
    await untilLogged(project, 'tool.requested', 2);
    await answerRequest(project, id, { ...human, response: 'blue' });
    expect(await Promise.all([first, attached])).toEqual(['blue', 'blue']);
    expect(await text('request_help', { ...which, requestId: id })).toBe('blue');
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('refuses a requestId nobody knows', async () => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root);
    const result = await call('request_help', { ...which, requestId: 'q-lost' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(
      'Cannot wait for request q-lost: no request has that id. Leave requestId out and ask the question again',
    );
    expect(await eventsOf(project, 'help.requested')).toEqual([]);
  });
});

describe('whose question it is', () => {
  it.each([
    {
      title: 'outside any sprint: nobody’s',
      sprints: [],
      active: [],
      last: undefined,
      env: {},
      stream: 'adhoc',
    },
    {
      title: 'the only active sprint’s',
      sprints: ['x', 'y'],
      active: ['y'],
      last: undefined,
      env: {},
      stream: 'y',
    },
    {
      title: 'nobody’s when two are active',
      sprints: ['x', 'y'],
      active: ['x', 'y'],
      last: undefined,
      env: {},
      stream: 'adhoc',
    },
    {
      title: 'that of the sprint last worked on',
      sprints: ['x', 'y'],
      active: ['y'],
      last: 'x',
      env: {},
      stream: 'x',
    },
    {
      title: 'that of CURRENT_SPRINT_DIR',
      sprints: ['x', 'y'],
      active: ['y'],
      last: 'y',
      env: { CURRENT_SPRINT_DIR: 'sprints/x' },
      stream: 'x',
    },
    {
      title: 'the next one’s when CURRENT_SPRINT_DIR holds no sprint',
      sprints: ['x', 'y'],
      active: ['y'],
      last: undefined,
      env: { CURRENT_SPRINT_DIR: 'sprints/z' },
      stream: 'y',
    },
  ])('$title', async ({ sprints, active, last, env, stream }) => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    for (const id of sprints) await writeSprint(root, { id });
    const other = await connectAgent(root);
    for (const id of active) {
      await other.call('update_task_status', { sprintDir: `sprints/${id}`, taskId: 'a', status: 'active' });
    }
    const { server, call } = await connectAgent(root, { env });
    server.on('error', () => undefined);
    if (last !== undefined) await call('get_sprint_context', { sprintDir: `sprints/${last}` });

    void call('request_help', { ...which, task: 'no such task' }).catch(() => undefined);
    expect((await untilAsked(project)).stream).toBe(stream);
  });

  it('is reported when CURRENT_SPRINT_DIR leads out of the project', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const problems: unknown[] = [];
    const { server, call } = await connectAgent(root, { env: { CURRENT_SPRINT_DIR: '..' } });
    server.on('error', (problem) => problems.push(problem));
    void call('request_help', which).catch(() => undefined);
    expect((await untilAsked(project)).stream).toBe('adhoc');
    expect(String(problems[0])).toContain('CURRENT_SPRINT_DIR is ignored. Cannot use path ".."');
  });
});

/** Sends tool results only when `gate` opens; fails to when it fails. */
function holdResults(inner: InMemoryTransport, gate: () => Promise<void>): InMemoryTransport {
  const send = inner.send.bind(inner);
  inner.send = async (message: JSONRPCMessage, options) => {
    if ('result' in message && 'content' in message.result) await gate();
    await send(message, options);
  };
  return inner;
}
