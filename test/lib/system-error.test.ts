import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeOf, isMissing, systemCodeOf } from '../../src/lib/system-error.ts';

const folder = import.meta.dirname;

/** What the system says of a path that is read as a file. */
function reading(...path: readonly string[]): unknown {
  try {
    return readFileSync(join(folder, ...path));
  } catch (error) {
    return error;
  }
}

it.each([
  ['ENOENT', ['no-such-file'], true],
  ['ENOENT', ['no-such-folder', 'file'], true],
  ['ENOTDIR', ['system-error.test.ts', 'file'], true],
  ['EISDIR', [], false],
])('the system says %s of %j: missing is %s', (code, path, missing) => {
  const error = reading(...path);
  expect([codeOf(error), systemCodeOf(error)]).toEqual([code, code]);
  expect(isMissing(error)).toBe(missing);
});

it.each([
  new TypeError('a bug'),
  Object.assign(new Error('old'), { code: 3 }),
  'ENOENT',
  { code: 'ENOENT' },
  null,
])('what is no error of the system has no code, and is thrown on: %s', (other) => {
  expect([codeOf(other), isMissing(other)]).toEqual([undefined, false]);
  let thrown: unknown;
  try {
    systemCodeOf(other);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBe(other);
});
