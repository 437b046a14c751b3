import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonObject, readJsonLine, reads } from '../../../../src/runner/agents/output/json-line.ts';

const readers = { say: reads(z.looseObject({ text: z.string() }), ({ text }) => [{ is: 'text', text }]) };

describe('a line of JSON', () => {
  it('is read by the reader for its type', () => {
    expect(readJsonLine('{"type":"say","text":"hello","more":1}', readers)).toEqual([
      { is: 'text', text: 'hello' },
    ]);
  });

  it.each(['{"type":"other"}', '{"type":"toString"}', '{"type":"__proto__"}'])('%s says nothing', (line) => {
    expect(readJsonLine(line, readers)).toEqual([]);
  });

  it.each([
    '',
    'hello',
    '"say"',
    '[]',
    'null',
    '{"type":1}',
    '{"text":"x"}',
    '{"type":"say","te',
    '{"type":"say"}',
  ])('%j is shown as it is', (line) => {
    expect(readJsonLine(line, readers)).toBeUndefined();
  });

  it('is an object or nothing', () => {
    expect(jsonObject(' {"a":1}')).toEqual({ a: 1 });
    expect(jsonObject('{"a":1} ')).toEqual({ a: 1 });
    expect(jsonObject('1')).toBeUndefined();
  });
});
