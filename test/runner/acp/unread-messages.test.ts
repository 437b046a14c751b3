import { describe, expect, it } from 'vitest';
import { AgentOutput } from '../../../src/runner/output/agent-output.ts';
import { acpTalk } from '../support/acp-talk.ts';

const message =
  'it has sent a line of more than 8,388,608 characters, which is not read, and may have asked for something in it';
const head = '{"jsonrpc":"2.0","id":';
const asks = '"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"to';

describe('a line of an agent that is longer than is read', () => {
  it.each([
    ['7', 7],
    ['"x"', 'x'],
    [String.raw`"\"y\u0041"`, '"yA'],
  ])('ends its turn, and the request %s in it gets an error', async (written, id) => {
    const { begin, sayLong, until, sent, signals, asked } = acpTalk();
    const { over } = await begin();
    sayLong(`${head}${written},${asks}`);
    const answer = await until(() => sent.find((each) => each.id === id && each.error));
    expect(answer.error).toEqual({
      code: -32_600,
      message: 'Clifford does not read a line of more than 8,388,608 characters',
    });
    await over;
    expect(signals.slice(-2)).toEqual([{ is: 'error', class: 'other', message }, { is: 'turn-over' }]);
    expect(asked).toEqual([]);
  });

  it.each([
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","up',
    '{"jsonrpc":"2.0","id":1,"result":{"stopReas',
    '{"jsonrpc":"2.0","params":{"id":9,"method":"x","toolCall',
    'words without end',
  ])('ends it, too, where it is not known to ask: %s', async (beginning) => {
    const { begin, sayLong, ask, sent, signals } = acpTalk();
    const { over } = await begin();
    const before = sent.length;
    sayLong(beginning);
    sayLong(beginning);
    ask('later', { toolCallId: 'c', kind: 'execute' });
    await over;
    expect(sent).toHaveLength(before);
    expect(signals.filter(({ is }) => is === 'error')).toEqual([{ is: 'error', class: 'other', message }]);
  });

  it('is told of by its beginning, and shown where nobody reads that', () => {
    const line = () => [];
    const longLine = (beginning: string) => [{ is: 'text', text: beginning.slice(0, 3) } as const];
    const bytes = Buffer.from(`abc${'x'.repeat(8_388_608)}\n`);
    expect(new AgentOutput({ line, longLine }).take('stdout', bytes).signals).toEqual([
      { is: 'text', text: 'abc' },
    ]);
    const unread = '[a line of more than 8,388,608 characters]\n';
    expect(new AgentOutput({ line }).take('stdout', bytes)).toMatchObject({ text: unread, signals: [] });
    const errorLine = (text: string) => [{ is: 'text', text } as const];
    expect(new AgentOutput({ line, errorLine }).take('stderr', bytes).signals).toEqual([
      { is: 'text', text: unread.trim() },
    ]);
  });
});

it('a request that is nested too deeply gets an error', async () => {
  const { begin, talk, until, sent, asked } = acpTalk();
  await begin();
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  talk.line(`${head}"deep",${asks.replace('{"to', '')}${deep}}}`);
  const { error } = await until(() => sent.find(({ id }) => id === 'deep'));
  expect(error?.message).toBe('Clifford does not read a message that is nested too deeply');
  expect(asked).toEqual([]);
});

it('a request of another session gets an error, and nobody is asked', async () => {
  const { begin, say, answerTo, answer, signals, asked } = acpTalk();
  const { over } = await begin();
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];
  const toolCall = { toolCallId: 'c', kind: 'execute', title: 'ls', rawInput: { command: 'ls' } };
  for (const id of ['one', 'two']) {
    say({
      id,
      method: 'session/request_permission',
      params: { sessionId: 'another', toolCall, options },
    });
    expect((await answerTo(id)).error?.code).toBe(-32_002);
  }
  await answer('session/prompt', { stopReason: 'end_turn' });
  await over;
  expect(asked).toEqual([]);
  const text =
    'It asks for permission in a session that is not its own: it gets an error, and nobody is asked';
  expect(signals.filter(({ is }) => is === 'text' || is === 'tool-start')).toEqual([{ is: 'text', text }]);
});
