import { expect, it } from 'vitest';
import { whyNoPage } from '../helpers/needs-chromium.ts';

it.each(['true', '1'])(
  'without a browser the tests of the page fail where everything is tested: CI=%s',
  (ci) => {
    expect(() => whyNoPage(undefined, ci)).toThrow(
      "Cannot test the page: no chromium in PATH: install one, e.g. Debian's with: apt-get install chromium",
    );
  },
);

it.each([undefined, '', 'false'])('elsewhere it is said that they are skipped, and why: CI=%s', (ci) => {
  expect(whyNoPage(undefined, ci)).toBe(
    "The tests of the page are skipped: no chromium in PATH: install one, e.g. Debian's with: apt-get install chromium",
  );
});

it('nothing is said where there is one', () => {
  expect(whyNoPage('/usr/bin/chromium', 'true')).toBeUndefined();
});
