import { describe, expect, it } from 'vitest';
import { acpCallSchema } from '../../../src/runner/acp/acp-call.ts';
import { AcpCalls } from '../../../src/runner/acp/acp-calls.ts';
import { changeLines, fileChanges, linesChanged } from '../../../src/runner/acp/file-changes.ts';
import { SessionUpdates } from '../../../src/runner/acp/session-update.ts';

const own = (title: string | null | undefined) => (title ?? '').startsWith('clifford_');

function updates({ isNew = true } = {}) {
  const calls = new AcpCalls(({ title }) => own(title));
  const reader = new SessionUpdates(calls, { isNew });
  const read = (sessionUpdate: string, said: object = {}) => reader.read({ sessionUpdate, ...said });
  const text = (words: string, kind = 'agent_message_chunk') =>
    read(kind, { content: { type: 'text', text: words } });
  return { calls, reader, read, text };
}

const cost = (amount: number, currency = 'USD') => ({ used: 10, size: 100, cost: { amount, currency } });
const dollars = (costUsd: number) => ({ is: 'usage', tokens: { input: 0, output: 0 }, costUsd });

describe('what an agent tells of its turn', () => {
  it('is a text that goes on until something else is said', () => {
    const { text, read } = updates();
    expect(text('a')).toEqual([{ is: 'text', text: 'a', isPart: true, isNewLine: true }]);
    expect(text('b')).toEqual([{ is: 'text', text: 'b', isPart: true }]);
    expect(text('c', 'agent_thought_chunk')).toEqual([
      { is: 'text', text: '∙ c', isPart: true, isNewLine: true },
    ]);
    expect(text('d', 'agent_thought_chunk')).toEqual([{ is: 'text', text: 'd', isPart: true }]);
    read('tool_call', { toolCallId: 'x', title: 't' });
    expect(text('e', 'agent_thought_chunk')).toMatchObject([{ isNewLine: true }]);
    expect(text('')).toEqual([]);
  });

  it('begins a line with each message, also where nothing else is said between two of them', () => {
    const { reader, read } = updates();
    const chunk = (text: string, messageId?: string | null) =>
      read('agent_message_chunk', { content: { type: 'text', text }, messageId });
    const shown = [
      chunk('I look', 'm1'),
      chunk(' at it.', 'm1'),
      chunk('It is done.', 'm2'),
      chunk('!', 'm2'),
    ];
    expect(shown.flat().map((each) => 'isNewLine' in each)).toEqual([true, false, true, false]);
    expect(reader.said).toBe('I look at it.\nIt is done.!');
    expect([chunk('a', null), chunk('b')].flat().map((each) => 'isNewLine' in each)).toEqual([true, false]);
  });

  it('is a plan', () => {
    const { read } = updates();
    const entries = [
      { content: 'one', status: 'completed', priority: 'high' },
      { content: 'two', status: 'in_progress' },
      { content: 'three', status: 'pending' },
    ];
    expect(read('plan', { entries })).toEqual([{ is: 'text', text: '[x] one\n[>] two\n[ ] three' }]);
    expect(read('plan', { entries: [] })).toEqual([]);
  });

  it('is what it cost since it was said last', () => {
    const { read } = updates();
    expect(read('usage_update', cost(1))).toEqual([dollars(1)]);
    expect(read('usage_update', cost(1))).toEqual([]);
    expect(read('usage_update', cost(0.5))).toEqual([]);
    expect(read('usage_update', cost(1.25, 'usd'))).toEqual([dollars(0.25)]);
    expect(read('usage_update', cost(9, 'EUR'))).toEqual([]);
    expect(read('usage_update', { used: 1, size: 2, cost: null })).toEqual([]);
  });

  it('is not what an older session had cost before', () => {
    const told = updates({ isNew: false });
    told.reader.noteBefore({ sessionUpdate: 'usage_update', ...cost(3) });
    told.reader.noteBefore({ sessionUpdate: 'plan', entries: [] });
    expect(told.read('usage_update', cost(3.5))).toEqual([dollars(0.5)]);
    const untold = updates({ isNew: false });
    expect(untold.read('usage_update', cost(3))).toEqual([]);
    expect(untold.read('usage_update', cost(3.5))).toEqual([dollars(0.5)]);
  });

  it.each([
    null,
    7,
    [],
    {},
    { sessionUpdate: 'next_thing' },
    { sessionUpdate: '__proto__' },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '' } },
    { sessionUpdate: 'plan', entries: [7] },
    { sessionUpdate: 'usage_update', cost: { amount: '1', currency: 'USD' } },
    { sessionUpdate: 'tool_call', toolCallId: 7 },
    { sessionUpdate: 'tool_call_update' },
  ])('is nothing where it is malformed: %j', (update) => {
    expect(updates().reader.read(update)).toEqual([]);
  });
});

describe('the calls of a session', () => {
  it('are told once they are under way, whole, and when they are over', () => {
    const { read } = updates();
    const id = 'c';
    expect(read('tool_call', { toolCallId: id, title: 'Edits', kind: 'edit', status: 'pending' })).toEqual(
      [],
    );
    const locations = [{ path: '/a' }];
    expect(
      read('tool_call_update', {
        toolCallId: id,
        rawInput: { path: '/a' },
        locations,
        status: 'in_progress',
      }),
    ).toEqual([
      {
        is: 'tool-start',
        id,
        tool: 'edit',
        about: '/a',
        own: { kind: 'edit', title: 'Edits', args: { path: '/a' }, paths: ['/a'] },
      },
    ]);
    expect(read('tool_call_update', { toolCallId: id, title: null, status: 'in_progress' })).toEqual([]);
    const content = [{ type: 'diff', path: '/a', oldText: 'a\nb\n', newText: 'a\nc\nd\n' }];
    expect(read('tool_call_update', { toolCallId: id, content, status: 'completed' })).toEqual([
      {
        is: 'tool-end',
        id,
        isError: false,
        diff: ['- b', '+ c', '+ d'],
        own: {
          bytes: JSON.stringify(content).length,
          durationMs: expect.any(Number),
          lines: { added: 2, removed: 1 },
        },
      },
    ]);
  });

  it('may be told at once, and fail', () => {
    const { read } = updates();
    const signals = read('tool_call', { toolCallId: 'c', title: 'ls', status: 'failed', rawOutput: 'no' });
    expect(signals).toMatchObject([
      { is: 'tool-start', tool: 'other', about: 'ls', own: { kind: 'other', args: {} } },
      { is: 'tool-end', isError: true, own: { bytes: 4 } },
    ]);
  });

  it('of Clifford’s tools are left to their server', () => {
    const { read } = updates();
    const title = 'clifford_request_help';
    expect(read('tool_call', { toolCallId: 'c', title, status: 'in_progress' })).toEqual([
      { is: 'tool-start', id: 'c', tool: title, about: title },
    ]);
    expect(read('tool_call_update', { toolCallId: 'c', status: 'completed' })).toEqual([
      { is: 'tool-end', id: 'c', isError: false },
    ]);
  });

  it('that are asked about are recorded by whoever decides', () => {
    const { calls, read } = updates();
    const said = { toolCallId: 'c', kind: 'execute', rawInput: { command: 'ls' } };
    read('tool_call', { ...said, title: 'Lists', status: 'pending' });
    const asked = calls.asked(acpCallSchema.parse({ toolCallId: 'c', title: null, kind: null }));
    expect(asked).toMatchObject({ isRecorded: false, call: { ...said, title: 'Lists' } });
    expect(asked.signals).toEqual([{ is: 'tool-start', id: 'c', tool: 'execute', about: 'ls' }]);
    expect(calls.asked(acpCallSchema.parse({ toolCallId: 'c' }))).toMatchObject({
      isRecorded: true,
      signals: [],
    });
    expect(read('tool_call_update', { toolCallId: 'c', status: 'in_progress' })).toEqual([]);
    expect(read('tool_call_update', { toolCallId: 'c', status: 'completed' })).toMatchObject([
      { is: 'tool-end' },
    ]);
    // The id is free again.
    expect(calls.asked(acpCallSchema.parse(said)).isRecorded).toBe(false);
  });

  it('are over once', () => {
    const { read } = updates();
    const end = { toolCallId: 'c', kind: 'execute', title: 'ls', status: 'completed' };
    expect(read('tool_call_update', end)).toHaveLength(2);
    expect(read('tool_call_update', end)).toEqual([]);
    expect(read('tool_call_update', { toolCallId: 'c', rawOutput: 'more' })).toEqual([]);
    expect(read('tool_call', { ...end, status: 'in_progress' })).toHaveLength(1);
  });

  it('of which nobody has written anything down are not recorded', () => {
    const { calls, read } = updates();
    read('tool_call', { toolCallId: 'c', title: 'clifford_x', status: 'in_progress' });
    expect(calls.asked(acpCallSchema.parse({ toolCallId: 'c' })).isRecorded).toBe(false);
  });

  it('are forgotten, the oldest first, when there are too many', () => {
    const { read } = updates();
    const start = (nth: number) =>
      read('tool_call', { toolCallId: `c${nth}`, title: 't', status: 'in_progress' });
    for (let nth = 0; nth <= 200; nth += 1) start(nth);
    expect(start(1)).toEqual([]);
    expect(start(0)).toHaveLength(1);
  });
});

describe('lines that a call changes', () => {
  type Pairs = readonly (readonly [string | null, string])[];
  const changes = (...pairs: Pairs) =>
    fileChanges(
      acpCallSchema.parse({
        toolCallId: 'c',
        content: pairs.map(([oldText, newText], at) => ({ type: 'diff', path: `f${at}`, oldText, newText })),
      }),
    );
  const changed = (...pairs: Pairs) => linesChanged(changes(...pairs));

  it('are those between the lines that stay', () => {
    expect(changed([null, 'a\nb\n'])).toEqual({ added: 2, removed: 0 });
    expect(changed(['a\nb', ''])).toEqual({ added: 0, removed: 2 });
    expect(changed(['a\na\n', 'a\na\na\n'])).toEqual({ added: 1, removed: 0 });
    expect(changed(['a\nb\nc', 'a\nx\nc'])).toEqual({ added: 1, removed: 1 });
    expect(changed(['a', 'a'], [null, 'b'])).toEqual({ added: 1, removed: 0 });
    expect(changed()).toBeUndefined();
  });

  it('are shown, of several files under their names, and no more than a person reads', () => {
    expect(changeLines(changes(['a\nb', 'a\nc']))).toEqual(['- b', '+ c']);
    expect(changeLines(changes(['a', 'b'], [null, 'c']))).toEqual(['f0', '- a', '+ b', 'f1', '+ c']);
    const many = Array.from({ length: 23 }, (_, at) => `${at} ${'x'.repeat(300)}`).join('\n');
    const shown = changeLines(changes([null, many]));
    expect(shown).toHaveLength(21);
    expect(shown.at(-1)).toBe('… 3 more lines');
    expect(shown[0]).toHaveLength(200);
  });
});
