import { expect, it, vi } from 'vitest';
import { rememberLast } from '../../src/lib/remember-last.ts';

it('what a function said last is said again where it is asked the same, and only there', () => {
  const sum = vi.fn<(start: number, numbers: readonly number[]) => number>((start, numbers) =>
    numbers.reduce((all, each) => all + each, start),
  );
  const remembered = rememberLast(sum);
  const said = [
    remembered(1, [2, 3]),
    remembered(1, [2, 3]),
    remembered(1, [2, 4]),
    remembered(1, [2, 4, 0]),
    remembered(2, [2, 4, 0]),
    remembered(1, [2, 3]),
  ];
  expect([said, sum.mock.calls.length]).toEqual([[6, 6, 7, 7, 8, 6], 5]);
});

it('a list counts by what is in it, and what is in that as the very thing', () => {
  let asked = 0;
  const remembered = rememberLast((...lists: readonly (readonly object[])[]) => {
    asked += 1;
    return lists.flat().length;
  });
  const thing = {};
  const said = [remembered([thing]), remembered([thing]), remembered([{}]), remembered([thing], [])];
  expect([said, asked]).toEqual([[1, 1, 1, 1], 3]);
});
