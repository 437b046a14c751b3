import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { answerServer } from '../../../src/gateway/elicitation/answer-server.ts';
import { askHumanForServer } from '../../../src/gateway/elicitation/ask-human-for-server.ts';
import type { CallAtWork } from '../../../src/gateway/call/running-calls.ts';
import { CallsAtWork } from '../../../src/gateway/call/running-calls.ts';
import { filledForm } from '../../../src/gateway/elicitation/form-answer.ts';
import { answerRequest, dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { allowAll, fixture, gatewayAgent } from '../../mcp/support/gateway-agent.ts';
import { eventsOf, untilAsked, untilLogged } from '../../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const handy = { servers: { it: fixture('handy.ts') }, policy: allowAll };
const requestedSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['age'],
};
const form = { method: 'elicitation/create', params: { message: 'Who are you?', requestedSchema } };
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'A rhyme on cat' } }], maxTokens: 5 },
};

describe('what a server asks during a call', () => {
  it('reaches an agent that offers it, with the name of the server', async () => {
    const asked: unknown[] = [];
    const { text } = await gatewayAgent(handy, {
      capabilities: { sampling: {}, elicitation: {} },
      prepare: (client) => {
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          asked.push(params.message);
          return { action: 'accept', content: { age: 7 } };
        });
        client.setRequestHandler(CreateMessageRequestSchema, () => ({
          role: 'assistant',
          model: 'm',
          content: { type: 'text', text: 'hat' },
        }));
      },
    });
    expect(JSON.parse(await text('mcp__it__ask', form))).toMatchObject({
      result: { action: 'accept', content: { age: 7 } },
    });
    expect(asked).toEqual(['it: Who are you?']);
    expect(JSON.parse(await text('mcp__it__ask', sampling))).toMatchObject({
      result: { model: 'm', content: { text: 'hat' } },
    });
  });

  it('reaches it without what the server meant for Clifford alone', async () => {
    const asked: unknown[] = [];
    const { text } = await gatewayAgent(handy, {
      capabilities: { elicitation: {} },
      prepare: (client) => {
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          asked.push(params);
          return { action: 'decline' };
        });
      },
    });
    await text('mcp__it__ask', { ...form, params: { ...form.params, _meta: { 'own/key': 1 } } });
    expect(asked).toEqual([{ message: 'it: Who are you?', requestedSchema }]);
  });

  it('is asked of the human otherwise, as a form, and again when the answer does not fit', async () => {
    const { text, project } = await gatewayAgent(handy);
    const result = text('mcp__it__ask', form);
    const first = await untilAsked(project);
    expect(first.asked.question).toContain('it: Who are you?');
    expect(first.asked.question).toContain('- age (a whole number)');
    await answerRequest(project, first.id, { ...human, response: 'age: young' });
    await untilLogged(project, 'help.requested', 2);
    const second = await untilAsked(project);
    expect(second.asked.reason).toContain('age must be a whole number');
    await answerRequest(project, second.id, { ...human, response: 'name: Bo\nage: 7' });
    expect(JSON.parse(await result)).toMatchObject({
      result: { action: 'accept', content: { name: 'Bo', age: 7 } },
    });
  });

  it.each([
    ['declines', { response: 'decline' }, 'decline'],
    ['turns it down', { response: 'no', rejected: true as const }, 'decline'],
    ['wants it in other words', { response: 'age: 7, of whom?', rephrase: true as const }, 'decline'],
  ])('is declined when the human %s', async (_how, answer, action) => {
    const { text, project } = await gatewayAgent(handy);
    const result = text('mcp__it__ask', form);
    await answerRequest(project, (await untilAsked(project)).id, { ...human, ...answer });
    expect(JSON.parse(await result)).toMatchObject({ result: { action } });
  });

  it('is a question of the task that its call is made for', async () => {
    const { root, stream } = await projectWithSprint();
    const env = { CURRENT_SPRINT_DIR: 'sprints/demo' };
    const { text, project } = await gatewayAgent(handy, { root, env });
    await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'active' });
    const result = text('mcp__it__ask', sampling);
    const asked = await untilAsked(project);
    expect(asked).toMatchObject({ stream, taskId: 'a' });
    await answerRequest(project, asked.id, { ...human, response: 'hat' });
    await result;
  });

  it('gets its answer when the log has that it got it', async () => {
    const project = await openTestProject(await tempRoot());
    const written = Promise.withResolvers<void>();
    const record = vi.fn<typeof project.record>(async (...what) => {
      await written.promise;
      return project.record(...what);
    });
    const slow = { ...project, state: project.state, record };
    const agent = { id: 'agent-1', client: 'opencode' };
    const signal = new AbortController().signal;
    const call = { project: slow, agent, signal, background: () => undefined };
    const work = { call, place: { stream: 'adhoc' } } as unknown as CallAtWork;
    const asked = { serverId: 'it', method: sampling.method, params: sampling.params, work, signal };
    let answer: unknown;
    const answered = askHumanForServer(asked).then((result) => (answer = result));
    await answerRequest(project, (await untilAsked(project)).id, { ...human, response: 'hat' });
    await vi.waitFor(() => expect(record).toHaveBeenCalled());
    // Whatever does not wait for the log is done by then.
    await project.refresh();
    expect(answer).toBeUndefined();
    written.resolve();
    await answered;
    expect(answer).toMatchObject({ content: { text: 'hat' } });
    expect(await eventsOf(project, 'help.delivered')).toHaveLength(1);
  });

  it('is cancelled when the human dismisses it', async () => {
    const { text, project } = await gatewayAgent(handy);
    const result = text('mcp__it__ask', form);
    await dismissRequest(project, (await untilAsked(project)).id, human);
    expect(JSON.parse(await result)).toMatchObject({ result: { action: 'cancel' } });
  });

  it('may be a text of a model, which the human writes', async () => {
    const { text, project } = await gatewayAgent(handy);
    const result = text('mcp__it__ask', sampling);
    const { id, asked } = await untilAsked(project);
    expect(asked.question).toBe('A rhyme on cat');
    await answerRequest(project, id, { ...human, response: 'hat' });
    expect(JSON.parse(await result)).toMatchObject({
      result: { model: 'human', content: { type: 'text', text: 'hat' } },
    });
  });

  it('is withdrawn with the call: nobody is asked any more', async () => {
    const { call, project } = await gatewayAgent(handy);
    const cancel = new AbortController();
    const asking = call('mcp__it__ask', form, cancel.signal);
    asking.catch(() => undefined);
    await untilAsked(project);
    cancel.abort('enough');
    await untilLogged(project, 'help.dismissed');
    expect(openRequests(project.state)).toEqual([]);
  });
});

it('outside a call a server is refused what it asks', async () => {
  const client = {
    capabilities: () => ({ sampling: {} }),
    protocol: () => '2025-11-25',
    request: async () => ({ answered: true }),
  };
  const answer = answerServer(client, new CallsAtWork());
  const { signal } = new AbortController();
  await expect(answer('it', 'sampling/createMessage', {}, signal)).rejects.toThrow('only during a call');
});

describe('an answer to a form', () => {
  const one = (schema: object) => ({ type: 'object', properties: { it: schema }, required: ['it'] });
  it.each([
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'string', enum: ['a', 'b'] }, 'b', 'b'],
    [{ type: 'string', oneOf: [{ const: 'x', title: 'X' }] }, 'x', 'x'],
    [{ type: 'array', items: { type: 'string' } }, '["a"]', ['a']],
    [{ type: 'string' }, 'a: b', 'a: b'],
    [{ type: 'integer' }, '{"it": 3}', 3],
  ])('%j takes %j', (schema, response, value) => {
    expect(filledForm(one(schema), response)).toEqual({ content: { it: value } });
  });

  it.each([
    [{ type: 'boolean' }, 'maybe', 'it must be yes or no'],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', 'it must be one of a, b'],
    [{ type: 'integer' }, '', 'it must be a whole number'],
    [{ type: 'string' }, '{}', 'it is missing'],
  ])('%j does not take %j', (schema, response, problem) => {
    expect(filledForm(one(schema), response)).toEqual({ problem });
  });
});
