import { expect, it } from 'vitest';
import { isQuickSchema } from '../../../src/gateway/tools/quick-schema.ts';

it.each([
  { type: 'object' },
  { type: 'object', properties: { text: { type: 'string', maxLength: 9 }, any: true }, required: ['text'] },
  { properties: { mode: { enum: ['a', 'b'] }, at: { properties: { line: { type: 'integer' } } } } },
  { properties: { names: { type: 'array', items: { type: 'string' } } }, additionalProperties: false },
])('%j needs no limit', (schema) => {
  expect(isQuickSchema(schema)).toBe(true);
});

it.each([
  ['searches a text', { properties: { a: { pattern: '^(a+)+$' } } }],
  ['searches names', { patternProperties: { '^(a+)+$': {} } }],
  ['tries several ways', { anyOf: [{ type: 'string' }] }],
  ['refers to itself', { $ref: '#' }],
  ['compares all elements with each other', { items: { type: 'array' }, uniqueItems: true }],
  ['has a list of choices for each element', { items: { enum: ['a'] } }],
  ['has names for each element', { items: { required: ['a'] } }],
  ['has fields for each value', { additionalProperties: { properties: { a: {} } } }],
  ['has a keyword that is not known', { properties: { a: { if: {} } } }],
  ['has no schema where one belongs', { properties: { a: 1 } }],
])('one that %s needs one', (_what, schema) => {
  expect(isQuickSchema(schema)).toBe(false);
});
