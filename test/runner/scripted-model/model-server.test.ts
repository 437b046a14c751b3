import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testModel } from '../../agents/harness/test-place.ts';
import type { ModelServer } from '../../../src/runner/scripted-model/model-server.ts';

const messageSchema = z.looseObject({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
});
type Message =
  | z.infer<typeof messageSchema>
  | { role: 'user' | 'tool'; content: string; tool_call_id?: string };

const toolNamed = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object' } },
});
const tools = ['clifford_request_help', 'clifford_update_task_status', 'write', 'bash'].map(toolNamed);

/** A client of chat completions that carries its history along, as an agent does. */
class Client {
  readonly history: Message[];
  readonly #model: ModelServer;

  constructor(model: ModelServer, prompt: string) {
    this.#model = model;
    this.history = [{ role: 'user', content: prompt }];
  }

  /** Asks for the next turn, and forgets it. */
  async ask(offered: readonly object[] = tools): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.#model.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages: this.history, tools: offered }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Takes a turn: its calls get this result. Returns what it says and calls. */
  async turn(result = 'ok'): Promise<string> {
    const { status, body } = await this.ask();
    if (status !== 200) return String(status);
    const { choices } = z
      .object({ choices: z.array(z.object({ message: messageSchema, finish_reason: z.string() })) })
      .parse(body);
    const [choice] = choices;
    if (!choice) throw new Error('no choice');
    const { message, finish_reason: reason } = choice;
    const { content, tool_calls: calls = [] } = message;
    if (reason !== (calls.length > 0 ? 'tool_calls' : 'stop')) throw new Error(`it ended for ${reason}`);
    this.history.push(
      message,
      ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: result })),
    );
    return [content ?? '', ...calls.map((call) => `${call.function.name} ${call.function.arguments}`)].join(
      '|',
    );
  }
}

describe('the scripted model', () => {
  it('takes the turns of its script one by one, then says that it is done', async () => {
    const model = await testModel([
      { say: 'So.', calls: [{ tool: 'update_task_status', args: { status: 'active' } }, { shell: 'ls' }] },
      {
        write: ({ results }) => ({
          path: '/a',
          text: results.map(({ tool, text }) => `${tool}: ${text}`).join('; '),
        }),
      },
    ]);
    const client = new Client(model, 'Go');
    expect(await client.turn()).toMatch(
      /^So\.\|clifford_update_task_status \{"status":"active"\}\|bash \{"command":"ls"/,
    );
    expect(await client.turn()).toBe(
      '|write {"filePath":"/a","content":"clifford_update_task_status: ok; bash: ok"}',
    );
    expect(await client.turn()).toBe('Done.');
    expect(model.conversation()).toMatchObject({
      prompt: 'Go',
      step: 2,
      tools: ['clifford_request_help', 'clifford_update_task_status', 'write', 'bash'],
    });
  });

  it('takes the same turn again when a client asks again', async () => {
    const model = await testModel([{ shell: 'one' }, { shell: 'two' }]);
    const client = new Client(model, 'Go');
    await client.ask();
    expect(await client.turn()).toContain('one');
    expect(await client.turn()).toContain('two');
  });

  it('goes on after its last word when the session is resumed', async () => {
    const model = await testModel([{ shell: 'one' }, { text: 'Bye.' }, { shell: 'two' }]);
    const client = new Client(model, 'Go');
    await client.turn();
    expect(await client.turn()).toBe('Bye.');
    client.history.push({ role: 'user', content: 'Go on.' });
    expect(await client.turn()).toContain('two');
    expect(model.conversation().later).toEqual(['Go on.']);
  });

  it('begins a new list when the session is resumed, however much of the history an agent keeps', async () => {
    const script = {
      first: [{ shell: 'one' }],
      resumedBy: 'Go on',
      after: [{ shell: 'two' }, { text: 'Bye.' }],
    };
    const model = await testModel(script);
    const client = new Client(model, 'Go');
    expect(await client.turn()).toContain('one');
    client.history.push(
      { role: 'assistant', content: 'Said by nobody.' },
      { role: 'user', content: 'Go on.' },
    );
    expect(await client.turn()).toContain('two');
    expect(await client.turn()).toBe('Bye.');
  });

  it('has a script for each conversation, chosen by its first prompt', async () => {
    const model = await testModel({ 'task a': [{ text: 'I am a.' }], 'task b': [{ text: 'I am b.' }] });
    expect(await new Client(model, 'Work on task b.').turn()).toBe('I am b.');
    expect(await new Client(model, 'Work on task a.').turn()).toBe('I am a.');
    expect(model.conversation('task b').prompt).toBe('Work on task b.');
    expect(await new Client(model, 'Work on task c.').turn()).toBe('400');
    expect(model.surprises).toEqual(['no script for the prompt: Work on task c.']);
  });

  it('fails as often as it is told, in the middle too', async () => {
    const model = await testModel([
      { shell: 'one' },
      { fail: { kind: 'rate-limit', retryAfterS: 1 }, times: 2 },
      { text: 'There.' },
    ]);
    const client = new Client(model, 'Go');
    await client.turn();
    expect([await client.turn(), await client.turn(), await client.turn()]).toEqual(['429', '429', 'There.']);
  });

  it('stalls until it is released', async () => {
    const model = await testModel([{ stall: true }, { text: 'There.' }]);
    const client = new Client(model, 'Go');
    const turn = client.turn();
    await model.until(({ answered }) => answered === 'stalled');
    expect(model.exchanges).toHaveLength(1);
    model.release();
    expect(await turn).toBe('There.');
    expect(await new Client(model, 'Go').turn()).toBe('There.');
  });

  it('answers what is asked without tools beside its script', async () => {
    const model = await testModel([{ shell: 'one' }]);
    const client = new Client(model, 'Go');
    const { body } = await client.ask([]);
    expect(JSON.stringify(body)).toContain('"content":"A task of a sprint"');
    expect(await client.turn()).toContain('one');
  });

  it('says so when a tool of its script is not offered', async () => {
    const model = await testModel([{ tool: 'get_sprint_context' }]);
    expect(await new Client(model, 'Go').turn()).toBe('400');
    expect(model.surprises).toEqual([
      "Cannot call clifford's get_sprint_context: the tools offered are clifford_request_help, clifford_update_task_status, write, bash",
    ]);
  });

  it('looks up a tool once that is hidden behind a search', async () => {
    const model = await testModel([{ tool: 'get_sprint_context' }]);
    const client = new Client(model, 'Go');
    const ask = async () => (await client.ask([toolNamed('ToolSearch')])).body;
    const found = z.object({ choices: z.tuple([z.object({ message: messageSchema })]) }).parse(await ask());
    const { message } = found.choices[0];
    expect(message.tool_calls?.[0]?.function.arguments).toBe(
      '{"query":"select:mcp__clifford__get_sprint_context"}',
    );
    client.history.push(message, {
      role: 'tool',
      tool_call_id: message.tool_calls?.[0]?.id ?? '',
      content: 'nothing',
    });
    expect(JSON.stringify(await ask())).toContain("Cannot call clifford's get_sprint_context");
  });
});

const post = async (model: ModelServer, path: string, body: object) => {
  const response = await fetch(`${model.url}${path}`, {
    method: 'POST',
    body: JSON.stringify({ model: 'any', ...body }),
  });
  return response.text();
};

it('a turn with a single call ends for the sake of it, one without calls by itself: /v1/messages', async () => {
  const model = await testModel([{ tool: 'request_help' }]);
  const tools = [{ name: 'mcp__clifford__request_help' }];
  const first = [{ role: 'user', content: 'Go' }];
  expect(await post(model, '/v1/messages', { tools, messages: first })).toContain('"stop_reason":"tool_use"');
  const id = 'x';
  const messages = [
    ...first,
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'mcp__clifford__request_help', input: {} }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
  ];
  expect(await post(model, '/v1/messages', { tools, messages })).toContain('"stop_reason":"end_turn"');
});

it('what the model has said itself is no word of its user: generateContent', async () => {
  const model = await testModel([{ text: 'One.' }, { text: 'Two.' }]);
  const path = '/v1beta/models/any:generateContent';
  const tools = [{ functionDeclarations: [{ name: 'mcp_clifford_request_help' }] }];
  const said = (role: string, text: string) => ({ role, parts: [{ text }] });
  const history = [said('user', 'Go'), said('model', 'One.'), said('user', 'Go on.')];
  await post(model, path, { tools, contents: history.slice(0, 1) });
  expect(await post(model, path, { tools, contents: history })).toContain('Two.');
  expect(model.conversation()).toMatchObject({ prompt: 'Go', later: ['Go on.'] });
});

describe.each([
  [
    '/v1/responses',
    {
      input: [{ role: 'user', content: 'Go' }],
      tools: [
        { type: 'namespace', name: 'mcp__clifford', tools: [{ type: 'function', name: 'request_help' }] },
      ],
    },
    '"namespace":"mcp__clifford"',
  ],
  [
    '/v1/messages',
    { messages: [{ role: 'user', content: 'Go' }], tools: [{ name: 'mcp__clifford__request_help' }] },
    '"name":"mcp__clifford__request_help"',
  ],
  [
    '/v1beta/models/any:generateContent',
    {
      contents: [{ role: 'user', parts: [{ text: 'Go' }] }],
      tools: [{ functionDeclarations: [{ name: 'mcp_clifford_request_help' }] }],
    },
    '"name":"mcp_clifford_request_help"',
  ],
])('%s', (path, request, called) => {
  it('answers without a stream, too', async () => {
    const model = await testModel([{ say: 'So.', tool: 'request_help', usage: { input: 7 } }]);
    const text = await post(model, path, request);
    expect(text).toContain('So.');
    expect(text).toContain(called);
    expect(text).toMatch(/"(input_tokens|promptTokenCount)":7/);
  });
});
