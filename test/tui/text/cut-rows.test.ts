import { expect, it } from 'vitest';
import { cutRows } from '../../../src/tui/text/cut-rows.ts';

const rows = ['a', 'b', 'c', 'd'];

it.each([
  [4, rows],
  [3, ['a', 'b', '↓ 2 lines more']],
  [1, ['↓ 4 lines more']],
])('in %i rows says how many there is no room for', (height, shown) => {
  expect(cutRows(rows, height, (text) => text)).toEqual(shown);
});
