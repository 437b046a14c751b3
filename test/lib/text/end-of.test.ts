import { expect, it } from 'vitest';
import { endOf } from '../../../src/lib/text/end-of.ts';

it('the end of a text begins with a line of its own, or says that it goes on with one', () => {
  expect(endOf('one\n▸ rm', 8)).toBe('one\n▸ rm');
  expect(endOf('one\n▸ rm', 4)).toBe('▸ rm');
  expect(endOf('see ▸ rm', 5)).toBe('…▸ rm');
  expect(endOf('see ▸ rm', 4)).toBe('… rm');
  expect(endOf('a😀b', 3)).toBe('…b');
  expect(endOf('abc', 1)).toBe('…');
});
