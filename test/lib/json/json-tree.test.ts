import { evaluate } from '@humanwhocodes/momoa';
import type { ObjectNode } from '@humanwhocodes/momoa';
import { expect, it } from 'vitest';
import { memberOf, parseJsonTree, rangeOf } from '../../../src/lib/json/json-tree.ts';

/** The tree of a text that is an object. */
function objectIn(json: string): ObjectNode {
  const tree = parseJsonTree(json);
  if ('refused' in tree || tree.body.type !== 'Object') throw new Error(`${json} is no object`);
  return tree.body;
}

it('a member has its value, and its place in the text', () => {
  const json = '{ /* of both */ "a": [1, 2,], "b": 3, }';
  const member = memberOf(objectIn(json), 'a');
  expect(member && json.slice(...rangeOf(member))).toBe('"a": [1, 2,]');
  expect(member && evaluate(member.value)).toEqual([1, 2]);
  expect(memberOf(objectIn(json), 'c')).toBeUndefined();
});

it('of a key that appears twice the last counts, as wherever it is read', () => {
  const json = '{ "a": 1, "a": 2 }';
  const member = memberOf(objectIn(json), 'a');
  expect(member && evaluate(member.value)).toBe(JSON.parse(json).a);
});

it.each([
  ['', 'it is not JSON (line 1, column 1)'],
  ['{\n  half', 'it is not JSON (line 2, column 3)'],
  ['{"a":'.repeat(20_000), 'it is nested too deeply'],
])('what is no JSON is refused (case %#)', (json, refused) => {
  expect(parseJsonTree(json)).toEqual({ refused });
});
