import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonObject, readJsonLine, reads } from '../../../src/runner/agents/json-line.ts';
import { toolAbout } from '../../../src/runner/agents/tool-about.ts';

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

describe('a few words on a tool call', () => {
  it.each([
    [{ description: 'Lists', command: 'ls\n  -l' }, 'ls -l'],
    [{ content: 'x', file_path: '/p/a.txt' }, '/p/a.txt'],
    [{ cmd: ['bash', '-c', 'ls'] }, 'bash -c ls'],
    [{ depth: 2, mode: 'fast' }, 'fast'],
    ['plain', 'plain'],
    [{ depth: 2 }, ''],
    [undefined, ''],
  ])('%j is about %j', (args, about) => {
    expect(toolAbout(args)).toBe(about);
  });

  it('are cut when they are many', () => {
    expect(toolAbout({ command: 'x'.repeat(500) })).toBe(`${'x'.repeat(99)}…`);
  });
});
