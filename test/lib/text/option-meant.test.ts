import { expect, it } from 'vitest';
import { optionWithNumber, optionWithText } from '../../../src/lib/text/option-meant.ts';

const options = ['red', ' green ', 'red'];

it.each([
  ['1', 0],
  [' 3 ', 2],
  ['4', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['1.0', undefined],
  ['', undefined],
])('the number %j calls option %j, counted from 1', (text, option) => {
  expect(optionWithNumber(options, text)).toBe(option);
});

it.each([
  ['green', 1],
  [' red', 0],
  ['Red', undefined],
])('the words %j are those of option %j', (text, option) => {
  expect(optionWithText(options, text)).toBe(option);
});
