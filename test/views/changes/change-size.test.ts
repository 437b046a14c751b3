import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { expect, it } from 'vitest';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { changeSizeOf } from '../../../src/views/changes/change-size.ts';
import type { FileNow } from '../../../src/workflow/requests/files-now.ts';

const saidOf = (args: object, file: FileNow) =>
  callChanges(filesInCall({ path: 'docs/a.txt', ...args }), new Map([['docs/a.txt', file]])).map(
    (change) => changeSizeOf(change).said,
  );
const patch = '*** Begin Patch\n*** Delete File: docs/a.txt\n*** End Patch';
const [whole, edit] = [{ content: 'one\n2\n' }, { old_string: 'one', new_string: '1' }];

it.each([
  [edit, { is: 'text', text: 'one\n' }, undefined],
  [edit, { is: 'text', text: 'one\n', leadsTo: 'src/a.txt' }, 'a link leads to src/a.txt'],
  [edit, { is: 'none', leadsTo: 'src/\u202Ea.txt' }, 'a link leads to src/\\u202ea.txt'],
  [edit, { is: 'unread', why: 'it is no text' }, 'not compared with what is there, as it is no text'],
  [
    whole,
    { is: 'unread', why: 'it leads out of the project', leadsTo: '/etc/a.txt' },
    '2 lines, whole: not compared with what is there, as it leads out of the project; a link leads to /etc/a.txt',
  ],
  [whole, { is: 'none', leadsTo: 'src/a.txt' }, '2 lines, a new file; a link leads to src/a.txt'],
  [{ patch }, { is: 'text', text: 'one\n' }, undefined],
  [{ patch }, { is: 'none' }, 'there is no such file'],
  [
    { patch },
    { is: 'unread', why: 'it is a folder', leadsTo: 'src' },
    'what stands there is not known, as it is a folder; a link leads to src',
  ],
  [
    { movePath: 'docs/a.txt', path: 'docs/a.txt' },
    { is: 'text', text: 'one\n' },
    'over the file that is there',
  ],
  [{}, { is: 'text', text: 'one\n', leadsTo: 'src/a.txt' }, 'a link leads to src/a.txt'],
] as const)('a call with %j of a file that is %j says so', (args, file, said) => {
  expect(saidOf(args, file)).toEqual([said]);
});

const [one, other] = ['key=[hidden API_KEY: 40 characters]', 'key=[hidden: 40 characters]'];

it.each<[string, object, FileNow | undefined, string | undefined]>([
  ['an edit', { old_string: `a\n${one}\n`, new_string: `b\n${one}\n` }, undefined, alike()],
  ['a patch', { patch: `@@ -1,2 +1,2 @@\n-a\n-${one}\n+b\n+${one}\n` }, undefined, alike()],
  ['a file', { content: `${one}\n` }, { is: 'text', text: `${one}\n` }, alike('over the file that is there')],
  ['one that is seen to be another', { old_string: one, new_string: other }, undefined, undefined],
  ['one that only comes', { old_string: 'a', new_string: `a\n${one}` }, undefined, undefined],
])('a secret in the place of another one is a change: %s', (_, args, file, said) => {
  const files = new Map(file ? [['docs/a.txt', file]] : []);
  const [change] = callChanges(filesInCall({ path: 'docs/a.txt', ...args }), files);
  expect(change && changeSizeOf(change).said).toBe(said);
  const hidden = change?.lines.filter(({ text }) => text.includes('[hidden'));
  expect(hidden).not.toContainEqual({ is: 'kept', text: one });
});

function alike(...before: readonly string[]): string {
  return [...before, 'lines that look alike may differ in what is hidden'].join('; ');
}
