import { expect, it } from 'vitest';
import { jsonValue } from '../../../src/lib/json/json-value.ts';

it.each(['{"a":[1]}', '"text"', '0', 'null', ' true '])('%s is its value', (text) => {
  expect(jsonValue(text)).toEqual(JSON.parse(text));
});

it.each(['', '{"a":', 'undefined', "{'a':1}", '{"a":1} {"b":2}'])('%j is no JSON', (text) => {
  expect(jsonValue(text)).toBeUndefined();
});
