import { describe, expect, it } from 'vitest';
import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import type { FileNow } from '../../../src/workflow/requests/files-now.ts';
import { unclearFiles, unclearText } from '../../../src/views/calls/unclear-files.ts';
import { editedTexts } from '../../../src/views/calls/edited-texts.ts';

/** How the changes of a call are shown, each with its texts. */
const shown = (args: unknown) =>
  callChanges(filesInCall(args)).map(({ path, how, texts }) => [how, path, ...texts]);
const diff = (oldText: string | null, newText: string, path = 'a.ts') => ({
  type: 'diff',
  path,
  oldText,
  newText,
});

describe('what a call says in its input and in what it shows', () => {
  it.each<[string, object, object]>([
    [
      'an edit that takes the place of something else',
      { old_string: 'if (!isAdmin(user)) throw 1;\n', new_string: '// checked\n' },
      diff('// TODO\n', '// checked\n'),
    ],
    [
      'an edit that takes something else out',
      { old_string: 'if (!isAdmin(user)) throw 1;\n', new_string: '' },
      diff('// TODO\n', ''),
    ],
    [
      'an edit of a file that goes',
      { old_string: 'x\n', new_string: 'y\n' },
      { ...diff('x\n', ''), op: 'delete' },
    ],
    ['a text that comes with more', { old_string: '', new_string: 'y\n' }, diff('', 'x\ny\nevil\n')],
    [
      'a place of a patch that is none of what is shown',
      { patch: '@@ -1 +1 @@\n-check\n+y\n' },
      diff('todo\n', 'y\n'),
    ],
  ])('is shown twice where it differs: %s', (_, input, part) => {
    const args = { path: 'a.ts', ...input, changes: [part] };
    expect(shown(args)).toHaveLength(2);
    expect(editedTexts('edit', args)).toEqual([]);
  });

  it.each<[string, object, object]>([
    ['an edit', { old_string: 'x\n', new_string: 'y\n' }, diff('x\n', 'y\n')],
    ['an edit of a part', { old_string: 'x', new_string: 'y' }, diff('a x b', 'a y b')],
    ['a text that is put somewhere', { old_string: '', new_string: 'y\n' }, diff('q\n', 'q\ny\n')],
    ['a file that is written', { content: 'y\n' }, diff('x\n', 'y\n')],
    ['one that is new', { content: 'y\n' }, diff(null, 'y\n')],
    ['a place of a patch', { patch: '@@ -1 +1 @@\n-x\n+y\n' }, diff('a\nx\n', 'a\ny\n')],
  ])('is shown once where it does not: %s', (_, input, part) => {
    expect(shown({ path: 'a.ts', ...input, changes: [part] })).toHaveLength(1);
  });

  it('is changed in both by who changes a file that is written', () => {
    const args = { path: 'a.ts', content: 'y\n', changes: [diff('x\n', 'y\n')] };
    expect(editedTexts('edit', args)).toMatchObject([{ places: [{}, {}] }]);
  });

  it('is all of the file where that is written, whatever is shown as its old text: what came meanwhile goes', () => {
    const file = (text: string) => new Map([['a.ts', { is: 'text', text } as const]]);
    const linesOver = (args: object, text: string) => {
      const [change] = callChanges(filesInCall({ path: 'a.ts', ...args }), file(text));
      return { over: change?.over, lines: change?.lines.map(({ is, text: line }) => `${is} ${line}`) };
    };
    const part = diff('x\n', 'y\n');
    expect(linesOver({ content: 'y\n', changes: [part] }, 'x\nmine\n')).toEqual({
      over: { is: 'text' },
      lines: ['removed x', 'removed mine', 'added y'],
    });
    // An edit leaves what is beside it, and a diff alone says neither.
    const lines = ['removed x', 'added y'];
    const edit = { old_string: 'x\n', new_string: 'y\n', changes: [part] };
    expect(linesOver(edit, 'x\nmine\n')).toEqual({ over: undefined, lines });
    const why = expect.stringContaining('other lines of it may go');
    expect(linesOver({ content: [part] }, 'x\nmine\n')).toEqual({ over: { is: 'uncompared', why }, lines });
    expect(linesOver({ content: [part] }, 'x\n')).toEqual({ over: undefined, lines });
  });

  it('has no line of the file that nobody has found there, and none of its texts is taken for shown', () => {
    const args = { path: 'a.ts', content: 'x\ny\n', changes: [diff('x\nz\n', 'x\ny\n')] };
    const over = (file: FileNow | undefined) => {
      const [change] = callChanges(filesInCall(args), new Map(file ? [['a.ts', file]] : []));
      return [change?.lines.map(({ is }) => is).join(' '), change?.texts];
    };
    const added = ['added added', ['x\ny\n']];
    expect(over(undefined)).toEqual(added);
    expect(over({ is: 'none' })).toEqual(added);
    expect(over({ is: 'unread', why: 'it is in .git' })).toEqual(added);
    expect(over({ is: 'text', text: 'x\nmine\n' })).toEqual(['kept removed added', ['x\ny\n']]);
    expect(over({ is: 'text', text: 'x\nz\n' })).toEqual(['kept removed added', ['x\nz\n', 'x\ny\n']]);
  });

  it.each<[string, object]>([
    ['a diff of a file that is there as of a new one', { content: [diff('', 'y\n')] }],
    ['a text that is put somewhere', { new_string: 'y\n', content: [diff('x\n', 'y\n')] }],
    ['the same, of no text', { old_string: '', new_string: 'y\n', content: [diff('x\n', 'y\n')] }],
    ['a diff that does not say what it is', { changes: [{ path: 'a.ts', oldText: 'x\n', newText: 'y\n' }] }],
    ['a diff of what is not there any more', { content: [diff('z\n', 'y\n')] }],
    [
      'a diff in other names, without what it is',
      { changes: [{ path: 'a.ts', old_content: 'x\n', new_content: 'y\n' }] },
    ],
    ['of which the end is another one', { content: [diff('x\nmine\n\n', 'y\n')] }],
    ['a diff in another case', { changes: [{ ...diff('x\n', 'y\n'), type: 'Diff' }] }],
  ])('may be all of the file: %s', (_, said) => {
    const files = new Map([['a.ts', { is: 'text', text: 'x\nmine\n' } as const]]);
    const why = expect.stringContaining('other lines of it may go');
    const changes = callChanges(filesInCall({ path: 'a.ts', ...said }), files);
    expect(changes.map(({ over }) => over)).toContainEqual({ is: 'uncompared', why });
  });

  it.each<[FileNow | undefined, string]>([
    [undefined, 'it does not say whether'],
    [{ is: 'unread', why: 'it is in .git' }, 'it is in .git; it does not say whether'],
  ])('may be all of a file that nobody has read: %j', (file, why) => {
    const files = new Map(file ? [['a.ts', file]] : []);
    const said = { path: 'a.ts', content: [diff('x\n', 'y\n')] };
    expect(callChanges(filesInCall(said), files)[0]?.over).toEqual({
      is: 'uncompared',
      why: `${why} that is all the file is to have: other lines of it may go`,
    });
    // Of what is a part whoever calls it so, and of what is not there, no others go.
    const edit = { ...said, old_string: 'x\n', new_string: 'y\n' };
    expect(callChanges(filesInCall(edit), files)[0]?.over).not.toMatchObject({
      why: expect.stringContaining('may go'),
    });
    expect(callChanges(filesInCall(said), new Map([['a.ts', { is: 'none' }]]))[0]?.over).toBeUndefined();
  });

  it('is of two files where their whole paths differ', () => {
    for (const path of ['/project/src/a.ts', '/project//src/a.ts']) {
      const args = { path, content: 'x\n', changes: [diff(null, 'x\n', '/src/a.ts')] };
      expect(shown(args)).toHaveLength(2);
    }
  });
});

it('is all of the file where only the end of its last line is missing', () => {
  const over = (text: string, old: string) =>
    callChanges(
      filesInCall({ path: 'a.ts', content: [diff(old, 'y\n')] }),
      new Map([['a.ts', { is: 'text', text } as const]]),
    )[0]?.over;
  expect([over('x', 'x\n'), over('x\n', 'x')]).toEqual([undefined, undefined]);
  expect(over('x\n\n', 'x')).toMatchObject({ is: 'uncompared' });
});

it('is not understood whole where it says an edit and all of the file', () => {
  const args = { path: 'a.ts', old_string: 'x\n', new_string: 'y\n', content: 'y\n' };
  const unclear = unclearFiles({ isOwn: true, tool: 'edit', args }, filesInCall(args));
  expect(unclear && unclearText(unclear)).toContain('several texts for a file');
  expect(editedTexts('edit', args)).toEqual([]);
});
