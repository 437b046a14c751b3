import { expect, it } from 'vitest';
import { jsoncValue } from '../../../src/lib/json/json-tree.ts';

it('JSON is read with its comments and trailing commas', () => {
  expect(jsoncValue('{ "a": [1, 2,], /* mine */ "b": null } // the end')).toEqual({ a: [1, 2], b: null });
});

it.each([
  ['nothing', ''],
  ['half an object', '{ "a": '],
  ['no bottom', '['.repeat(100_000)],
])('a text with %s has no value', (_, text) => {
  expect(jsoncValue(text)).toBeUndefined();
});
