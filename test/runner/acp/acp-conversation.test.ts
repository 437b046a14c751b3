import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { acpTalk } from '../support/acp-talk.ts';

const call = { toolCallId: 'c', kind: 'execute', title: 'A command', rawInput: { command: 'ls' } };

describe('a conversation over ACP', () => {
  it('is broken off with an agent that speaks another version', async () => {
    const { talk, answer, signals } = acpTalk();
    const over = talk.converse();
    await answer('initialize', { protocolVersion: 2 });
    await over;
    expect(signals).toMatchObject([
      { is: 'error', message: 'it speaks version 2 of the protocol, not 1' },
      { is: 'turn-over' },
    ]);
  });

  it('is broken off with an agent that goes on asking and reads no answer', async () => {
    let isDeaf = false;
    const write = () => (isDeaf ? new Promise<never>(() => undefined) : Promise.resolve(true));
    const { begin, say, request, signals } = acpTalk({}, { write });
    const { over } = await begin();
    await request('session/prompt');
    isDeaf = true;
    for (let id = 0; id <= 1_000; id += 1) say({ id: `x${id}`, method: 'fs/read_text_file' });
    await over;
    expect(signals).toContainEqual({
      is: 'error',
      class: 'other',
      message: 'it has sent 1000 requests whose answers it does not read',
    });
    expect(signals.at(-1)).toEqual({ is: 'turn-over' });
  });

  it('takes any number of requests of an agent that reads', async () => {
    const { begin, say, answer, answerTo, signals } = acpTalk();
    const { over } = await begin();
    for (let id = 0; id < 3_000; id += 1) {
      say({ id: `x${id}`, method: 'fs/read_text_file' });
      if (id % 500 === 0) await answerTo(`x${id}`);
    }
    await answer('session/prompt', { stopReason: 'end_turn' });
    await over;
    expect(signals.filter(({ is }) => is === 'error')).toEqual([]);
  });

  it.each([
    [
      { code: -32_000, message: 'Authentication required' },
      { is: 'error', class: 'auth' },
    ],
    [
      { code: -32_000, message: 'who are you' },
      { is: 'error', class: 'auth' },
    ],
    [
      { code: -32_603, message: 'Internal error', data: { details: 'No such session' } },
      { is: 'error', class: 'session' },
    ],
    [{ code: -32_603, message: 'Internal error', data: 'You hit your usage limit' }, { is: 'limit' }],
    [{ code: 429, message: 'Too Many Requests' }, { is: 'limit' }],
    [
      { code: -32_603, message: 'boom', data: { message: 7 } },
      { is: 'error', class: 'other', message: 'boom' },
    ],
  ])('says what an error of the agent means: %j', async (error, signal) => {
    const { talk, fail, signals } = acpTalk();
    const over = talk.converse();
    await fail('initialize', error);
    await over;
    expect(signals).toMatchObject([signal, { is: 'turn-over' }]);
  });

  it('says when a usage limit ends', async () => {
    const { talk, fail, signals } = acpTalk();
    const over = talk.converse();
    const before = Date.now();
    await fail('initialize', { code: 1, message: 'Quota exceeded, retry after 20s' });
    await over;
    const [limit] = signals;
    const resetsAt = limit?.is === 'limit' ? (limit.resetsAt ?? 0) : 0;
    expect(resetsAt - before).toBeGreaterThanOrEqual(20_000);
    expect(resetsAt - Date.now()).toBeLessThanOrEqual(20_000);
  });

  it.each([
    ['end_turn', []],
    ['cancelled', ['its turn was broken off']],
    ['max_tokens', ['its turn used up the tokens it may have']],
    ['refusal', ['its model refuses to go on']],
    ['max_turn_requests', ['its turn used up the requests to the model it may make']],
  ])('says what the end of a turn means: %s', async (stopReason, messages) => {
    const { begin, answer, signals } = acpTalk();
    const { over } = await begin();
    await answer('session/prompt', { stopReason });
    await over;
    expect(signals.flatMap((signal) => (signal.is === 'error' ? [signal.message] : []))).toEqual(messages);
  });

  it('counts the tokens of a turn, for the session where the agent does so', async () => {
    const { begin, answer, signals } = acpTalk({
      speech: { takesMcp: false, namesOwnTool: () => false, countsSession: true },
    });
    const { over } = await begin();
    const usage = {
      inputTokens: 8,
      outputTokens: 5,
      cachedReadTokens: 3,
      cachedWriteTokens: 2,
      totalTokens: 18,
    };
    await answer('session/prompt', { stopReason: 'end_turn', usage });
    await over;
    const tokens = { input: 10, output: 5, cached: 3 };
    expect(signals).toContainEqual({ is: 'usage', tokens, isSessionTotal: true });
  });

  it('goes on with a session, by resuming it or else by loading it, whose past it does not tell again', async () => {
    for (const [capabilities, method] of [
      [{ sessionCapabilities: { resume: {} }, loadSession: true }, 'session/resume'],
      [{ sessionCapabilities: { resume: {} } }, 'session/resume'],
      [{ loadSession: true }, 'session/load'],
    ] as const) {
      const { talk, answer, request, update, signals } = acpTalk({ sessionId: 's' });
      const over = talk.converse();
      await answer('initialize', { protocolVersion: 1, agentCapabilities: capabilities });
      await request(method);
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Long ago.' } });
      update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 2, currency: 'USD' } });
      await answer(method, {});
      await request('session/prompt');
      update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 2.5, currency: 'USD' } });
      await answer('session/prompt', { stopReason: 'end_turn' });
      await over;
      expect(signals).toEqual([
        { is: 'session', sessionId: 's' },
        { is: 'usage', tokens: { input: 0, output: 0 }, costUsd: 0.5 },
        { is: 'turn-over' },
      ]);
    }
  });

  it('says so of an agent that cannot go on with a session', async () => {
    const { talk, answer, signals } = acpTalk({ sessionId: 's' });
    const over = talk.converse();
    await answer('initialize', { protocolVersion: 1, agentCapabilities: {} });
    await over;
    expect(signals).toMatchObject([
      { is: 'error', message: 'it cannot go on with a session' },
      { is: 'turn-over' },
    ]);
  });

  it('offers its server only to an agent that takes it, and switches to the mode in which it asks', async () => {
    const { talk, answer, request } = acpTalk({
      speech: { takesMcp: false, namesOwnTool: () => false, mode: 'default' },
    });
    void talk.converse();
    await answer('initialize', { protocolVersion: 1 });
    expect((await request('session/new')).params).toEqual({ cwd: '/project', mcpServers: [] });
    await answer('session/new', { sessionId: 's' });
    expect((await request('session/set_mode')).params).toEqual({ sessionId: 's', modeId: 'default' });
    talk.end();
  });

  it('outlives whatever the agent prints', async () => {
    const { begin, talk, say, update, answer, signals, asked, ask } = acpTalk();
    const { over } = await begin();
    const loud = vi.spyOn(console, 'error');
    onTestFinished(() => loud.mockRestore());
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const from = signals.length;
    for (const line of [
      `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"x","status":"completed","rawInput":${deep}}}}`,
      `{"jsonrpc":"2.0","id":"deep","method":"session/request_permission","params":{"sessionId":"s","options":[],"toolCall":{"toolCallId":"x","rawInput":${deep}}}}`,
      '{}',
      String.raw`{"id":"\u001b[2J","result":{}}`,
      '{"id":null,"method":null}',
      '{"jsonrpc":"2.0","method":"session/update","params":7}',
      '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":null}}',
      '{"jsonrpc":"2.0","id":"e","method":"fs/read_text_file","params":{}}',
      '{"jsonrpc":"2.0","id":"f","method":"__proto__"}',
    ])
      expect(talk.line(line)).toBeDefined();
    expect(talk.line('[1]')).toBeUndefined();
    expect(talk.line('plain words')).toBeUndefined();
    say({ id: 'bad', method: 'session/request_permission', params: { toolCall: 'x' } });
    ask('no-id', { kind: 'execute' });
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Other.' } }, 'another');
    await answer('session/prompt', { stopReason: 'end_turn' });
    await over;
    expect(asked).toEqual([]);
    expect(signals.slice(from)).toEqual([{ is: 'turn-over' }]);
    expect(loud).not.toHaveBeenCalled();
  });

  it('answers with an error what it cannot read as a question', async () => {
    const { begin, ask, say, answerTo } = acpTalk();
    await begin();
    ask('no-id', { kind: 'execute' });
    say({ id: 'fs', method: 'fs/read_text_file', params: {} });
    expect((await answerTo('no-id')).error).toBeDefined();
    expect((await answerTo('fs')).error).toBeDefined();
  });

  it('is over with an agent that cannot be written to, whatever it goes on to print', async () => {
    let isOpen = true;
    const { begin, talk, ask, answer, say, signals } = acpTalk({}, { write: async () => isOpen });
    const { over } = await begin();
    isOpen = false;
    ask('p', call, []);
    await over;
    expect(signals.at(-1)).toEqual({ is: 'turn-over' });
    say({ id: 1, result: {} });
    ask('q', call);
    await answer('session/prompt', { stopReason: 'end_turn' });
    await talk.cancel();
    expect(talk.end()).toEqual([]);
  });
});
