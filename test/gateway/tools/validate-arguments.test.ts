import { describe, expect, it } from 'vitest';
import { validateArguments } from '../../../src/gateway/tools/validate-arguments.ts';
import { toolOf } from '../policy/policy-facts.ts';

const problemsOf = (inputSchema: unknown, args: unknown): string | undefined =>
  validateArguments(toolOf('t', { inputSchema }), args);

/** The lines about fields. */
function linesOf(inputSchema: unknown, args: unknown): string[] {
  const lines = problemsOf(inputSchema, args)?.split('\n') ?? [];
  return lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));
}

const writeFile = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { enum: ['append', 'truncate'] },
    edits: {
      type: 'array',
      items: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] },
    },
  },
  required: ['path'],
  additionalProperties: false,
};

describe('validateArguments', () => {
  it('says nothing of arguments that fit', () => {
    expect(problemsOf(writeFile, { path: 'a', mode: 'append', edits: [{ line: 1 }] })).toBeUndefined();
    expect(problemsOf({ type: 'object' }, undefined)).toBeUndefined();
  });

  it('tells an agent all it needs to do better', () => {
    expect(problemsOf(writeFile, { mode: 1, edits: [{ line: 'x' }, {}], paht: 'a' })).toBe(
      [
        'These arguments do not fit the input schema of this tool, so it was not called:',
        '- path: is missing, expected string',
        '- paht: is not known here; did you mean "path"?',
        '- mode: must be one of "append", "truncate", got number',
        '- edits[0].line: must be integer, got string',
        '- edits[1].line: is missing, expected integer',
        'Correct them and call it again',
      ].join('\n'),
    );
  });

  it('names a field that lies too deep by the beginning of the way to it', () => {
    let rules: object = { type: 'string' };
    let deep: unknown = 1;
    for (let depth = 0; depth < 100; depth++) {
      rules = { properties: { field: rules } };
      deep = { field: deep };
    }
    expect(problemsOf(rules, deep)).toMatch(/\n- (?:field\.){50}…: must be string, got number\n/);
  });

  it.each([
    [{ properties: { a: { type: ['string', 'null'] } } }, { a: [] }, 'a: must be string or null, got array'],
    [{ properties: { a: { const: 1 } } }, { a: null }, 'a: must be 1, got null'],
    [
      { properties: { a: { pattern: '^v\\d+$' } } },
      { a: 'x' },
      'a: must match the pattern "^v\\\\d+$", got string',
    ],
    [{ properties: { a: { minimum: 5 } } }, { a: 1 }, 'a: must be >= 5, got number'],
    [
      { properties: { a: { maxLength: 2 } } },
      { a: 'abc' },
      'a: must NOT have more than 2 characters, got string',
    ],
    [{ properties: { a: false } }, { a: 1 }, 'a: must not be given'],
    [{ additionalProperties: false }, { 'x y': 1 }, '["x y"]: is not known here; there are no fields'],
    [
      { properties: { path: {} }, additionalProperties: false },
      { ' p\u200bath': 1 },
      '[" p\\u200bath"]: is not known here; did you mean "path"?',
    ],
    [
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'object', required: ['id'] }] } } },
      { a: 1 },
      'a: must be one of: string; object with id, got number',
    ],
  ])('%j with %j: %s', (rules, args, line) => {
    expect(linesOf({ type: 'object', ...rules }, args)).toEqual([line]);
  });

  it.each([null, 'text', 1, ['path']])('refuses %j, which is no object', (args) => {
    expect(linesOf({ type: 'object' }, args)).toEqual(['(the arguments): must be object']);
  });

  it('does not repeat what the agent sent, which may be a secret', () => {
    expect(problemsOf(writeFile, { path: ['hunter2-secret'], mode: 'hunter2-secret' })).not.toContain(
      'hunter2',
    );
  });

  it('does not take what every object inherits for a field', () => {
    expect(linesOf({ type: 'object', required: ['toString'] }, {})).toEqual(['toString: is missing']);
    expect(
      linesOf({ type: 'object', additionalProperties: false }, JSON.parse('{"__proto__": 1}')),
    ).toHaveLength(1);
  });

  it('repeats nothing hidden of a hostile schema, and not much of it', () => {
    const choices = Array.from({ length: 5_000 }, (_, index) => `\u001b[2J\u202e${index}${'x'.repeat(500)}`);
    const text = problemsOf({ type: 'object', properties: { a: { enum: choices } } }, { a: 1 }) ?? '';
    expect(text.length).toBeLessThan(3_000);
    // oxlint-disable-next-line no-control-regex -- none of them is to be there
    expect(text).not.toMatch(/[\u0000-\u0009\u001b\u202e]/);
    expect(text).toContain('(5000 in all)');
  });

  it('stops at ten of ten thousand problems', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } };
    const wrong = (length: number): string[] => linesOf(schema, { a: Array.from({ length }, () => 1) });
    expect(wrong(12)).toHaveLength(11);
    expect(wrong(12).at(-1)).toBe('and 2 more');
    expect(wrong(10_000)).toHaveLength(11);
    expect(wrong(10_000).at(-1)).toBe('and many more');
  });

  it('ends a pattern that runs away, and refuses the call', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(problemsOf(schema, { a: `${'a'.repeat(60)}!` })).toMatch(
      /^The arguments could not be checked against .* within 500 ms/,
    );
    expect(problemsOf(schema, { a: 'aaa' })).toBeUndefined();
  });

  it('ends a schema that doubles its work with every definition', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => {
        const next = { $ref: `#/$defs/d${n + 1}` };
        return [`d${n}`, { allOf: [next, next] }];
      }),
    );
    const schema = { type: 'object', $ref: '#/$defs/d0', $defs: { ...$defs, d60: { type: 'object' } } };
    expect(problemsOf(schema, {})).toMatch(/could not be checked against/);
  });

  it('holds recursive arguments against a recursive schema, however deep', () => {
    const schema = {
      type: 'object',
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    };
    expect(problemsOf(schema, { next: { next: {} } })).toBeUndefined();
    const deep: unknown = JSON.parse(`${'{"next":'.repeat(100_000)}{}${'}'.repeat(100_000)}`);
    expect(linesOf(schema, deep)).toEqual(['(the arguments): are nested too deeply']);
  });

  it.each([
    { type: 'object', properties: { a: { $ref: 'https://tracker.example/schema.json' } } },
    { type: 'object', properties: { a: { $ref: '#/$defs/missing' } } },
    { type: 'object', properties: { a: { type: 'strnig' } } },
    { type: 'object', $async: true, required: 3 },
    'no schema',
    undefined,
  ])('leaves it to the server where the schema is none: %j', (schema) => {
    expect(problemsOf(schema, { a: 1 })).toBeUndefined();
  });

  it('keeps the rest of a schema that has a bad pattern', () => {
    const schema = { type: 'object', properties: { a: { pattern: '(' }, b: { type: 'string' } } };
    expect(linesOf(schema, { a: 'x', b: 1 })).toEqual(['b: must be string, got number']);
  });

  it('is not put off by a schema that calls itself asynchronous, or names a dialect of its own', () => {
    const schema = { type: 'object', required: ['a'] };
    expect(linesOf({ $async: true, ...schema }, {})).toEqual(['a: is missing']);
    expect(linesOf({ $schema: 'https://tracker.example/own', ...schema }, {})).toEqual(['a: is missing']);
  });

  it('keeps the schemas of two servers apart that go by the same $id', () => {
    const $id = 'https://example.org/schema';
    expect(problemsOf({ $id, type: 'object' }, {})).toBeUndefined();
    expect(linesOf({ $id, type: 'object', required: ['a'] }, {})).toEqual(['a: is missing']);
  });

  it('reads both dialects, the older one also where it is not named', () => {
    const tuple = { type: 'array', items: [{ type: 'string' }, { type: 'number' }] };
    const newer = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] };
    for (const a of [tuple, newer]) {
      expect(linesOf({ type: 'object', properties: { a } }, { a: ['x', 'y'] })).toEqual([
        'a[1]: must be number, got string',
      ]);
    }
  });
});
