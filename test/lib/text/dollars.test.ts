import { expect, it } from 'vitest';
import { dollars } from '../../../src/lib/text/dollars.ts';

it.each([
  [1.1, '$1.10'],
  [0, '$0.00'],
  [0.005, '$0.01'],
  [0.004, '<$0.01'],
  [1_234.5, '$1234.50'],
])('writes %d as %s', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});
