import { expect, it } from 'vitest';
import {
  optionsTyped,
  optionTyped,
  optionWithNumber,
  optionWithText,
} from '../../../src/lib/text/option-meant.ts';

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

const counts = ['3', '5', '10'];

it.each([
  ['3', 0],
  [' 5 ', 1],
  ['2', 1],
  ['4', undefined],
  ['10', 2],
])('of options that are numbers, %j is option %j: words come before places', (text, option) => {
  expect(optionTyped(counts, text)?.option).toBe(option);
});

it.each([
  ['3, 10', [0, 2]],
  ['1, 2', [0, 1]],
  ['1, 3', []],
  ['2, 1', [0, 1]],
  ['3', [0]],
  ['4, 5', []],
])('of several options that are numbers, %j are options %j', (text, chosen) => {
  expect(optionsTyped(counts, text)).toEqual(chosen);
});

it.each([
  ['01', [1]],
  ['00, 02', [0, 2]],
  ['2', [1]],
])('of options that begin with a nought, %j are options %j', (text, chosen) => {
  expect(optionsTyped(['00', '01', '02'], text)).toEqual(chosen);
});

it('an option with a comma in its words is meant by these, and by no part of them', () => {
  expect(optionsTyped(['Yes, all', 'Yes', 'all'], 'Yes, all')).toEqual([0]);
  expect(optionsTyped(['Yes, all', 'Yes', 'all'], 'all, Yes')).toEqual([1, 2]);
});

it('of several options one called by its words and one by its place are none, but where both are the same', () => {
  expect(optionsTyped(['a', 'b', '3'], '3, 1')).toEqual([0, 2]);
  expect(optionsTyped(['a', '1', 'b'], '1, 3')).toEqual([]);
});

it.each([
  ['3 4', [1]],
  ['2024, 2', [2]],
  ['1, 2', [0, 1]],
])('of options with several numbers in their words, %j are options %j', (text, chosen) => {
  expect(optionsTyped(['2 1', '3 4', '2024, 2'], text)).toEqual(chosen);
});
