import { expect, it } from 'vitest';
import { turnUsage } from '../../../src/runner/acp/turn-usage.ts';

const speech = { takesMcp: false, namesOwnTool: () => false };

const tokensOf = (end: object) =>
  turnUsage(end, speech).map((signal) => (signal.is === 'usage' ? signal.tokens : signal));

it.each([
  ['beside', { inputTokens: 8, outputTokens: 5, cachedReadTokens: 3, cachedWriteTokens: 2, totalTokens: 18 }],
  ['as a part of it', { inputTokens: 13, outputTokens: 5, cachedReadTokens: 3, totalTokens: 18 }],
])('input that came from a cache counts once where an agent counts it %s', (_how, usage) => {
  expect(tokensOf({ usage })).toEqual([{ input: 10, output: 5, cached: 3 }]);
});

it.each([
  // As OpenCode has it.
  [
    'beside the output',
    {
      inputTokens: 8,
      outputTokens: 5,
      thoughtTokens: 7,
      cachedReadTokens: 3,
      cachedWriteTokens: 2,
      totalTokens: 25,
    },
    { input: 10, output: 12, cached: 3 },
  ],
  [
    'as a part of it',
    { inputTokens: 13, outputTokens: 12, thoughtTokens: 7, cachedReadTokens: 3, totalTokens: 25 },
    { input: 10, output: 12, cached: 3 },
  ],
])('what was thought is output where an agent counts it %s', (_how, usage, tokens) => {
  expect(tokensOf({ usage })).toEqual([tokens]);
});

it('what an agent says of a turn in a field of its own counts, unless it says it in that of the protocol', () => {
  const _meta = { quota: { token_count: { input_tokens: 7, output_tokens: 2 } } };
  expect(tokensOf({ _meta })).toEqual([{ input: 7, output: 2, cached: 0 }]);
  expect(tokensOf({ _meta, usage: { inputTokens: 1, outputTokens: 1 } })).toEqual([
    { input: 1, output: 1, cached: 0 },
  ]);
});

it.each([{}, { usage: null }, { usage: 'much' }, { usage: { inputTokens: -1 } }, { _meta: { quota: 1 } }])(
  'nothing is counted of %j',
  (end) => {
    expect(tokensOf(end)).toEqual([]);
  },
);
