import { expect, it } from 'vitest';
import { didYouMean } from '../../../src/lib/text/did-you-mean.ts';

it.each([
  ['alhpa', '; did you mean "alpha"?'],
  ['omega', ''],
  // Any letter is as near as another.
  ['c', ''],
])('of %s near alpha and a: %j', (name, text) => {
  expect(didYouMean(name, ['alpha', 'a'])).toBe(text);
});
