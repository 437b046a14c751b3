import { expect, it } from 'vitest';
import { argsText } from '../../../src/views/calls/args-text.ts';

it('has arguments on a line: short ones first, texts without quotes, secrets masked', () => {
  const long = '/a/path/that/is/longer/than/thirty-two/characters.ts';
  expect(argsText({ sprintDir: long, taskId: 'form', status: 'done', deep: { a: [1] } })).toBe(
    `taskId: form, status: done, deep: {"a":[1]}, sprintDir: ${long}`,
  );
  expect(argsText({ token: 'abcdefghijklmnop1234' })).not.toContain('abcdefghijklmnop1234');
  expect(argsText(['a'])).toBe('["a"]');
  expect(argsText({})).toBe('');
});
