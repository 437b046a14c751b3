import { describe, expect, it } from 'vitest';
import { editedTexts, withEditedText } from '../../../src/views/calls/edited-texts.ts';

/** The texts of a call that are changed by themselves, each behind its path. */
const texts = (args: unknown, kind?: string) => editedTexts(kind, args).map(({ path, text }) => [path, text]);

/** The arguments with `new` in the place of each of its texts. */
const changed = (args: Record<string, unknown>) =>
  editedTexts(undefined, args).reduce<Readonly<Record<string, unknown>>>(
    (all, text) => withEditedText(all, text, 'new\nlines'),
    args,
  );

const shown = { path: 'a', oldText: 'one\ntwo\nthree', newText: 'one\n2\nthree' };

describe('the texts of a call that are changed by themselves', () => {
  it.each([
    [{ path: 'a', content: 'x' }, [['a', 'x']]],
    [{ file_path: 'a', old_string: 'x', new_string: '' }, [['a', '']]],
    [
      {
        path: 'a',
        edits: [
          { old_text: 'x', new_text: 'y' },
          { path: 'b', old_text: '1', new_text: '2' },
        ],
      },
      [
        ['a', 'y'],
        ['b', '2'],
      ],
    ],
    [{ command: 'create', path: 'a', file_text: 'x\n' }, [['a', 'x\n']]],
    [{ command: 'ls -l' }, [[undefined, 'ls -l']]],
    [{ path: 'a', content: 'x\r\ny' }, [['a', 'x\ny']]],
    [{ path: 'a', content: 'x\ty' }, [['a', 'x\ty']]],
    // The other field would still have what was there.
    [{ path: 'a', content: 'x', file_text: 'x' }, []],
    // Nobody would see what they change.
    [{ path: 'a', content: 'x\u202ey' }, []],
    [{ path: 'a', content: 'x\r\ny\n' }, []],
    [{ path: 'a', content: 'x\ry' }, []],
    [{ path: 'a' }, []],
    [{ content: 'x' }, []],
    ['x', []],
  ])('%j', (args, expected) => {
    expect(texts(args)).toEqual(expected);
  });

  it('of an own tool of an agent are its command, where it hands over no fields', () => {
    expect(texts({ input: 'ls' }, 'execute')).toEqual([[undefined, 'ls']]);
    expect(texts({ input: 'ls' })).toEqual([]);
  });

  it('are changed at all places that say the same', () => {
    expect(changed({ filePath: 'a', oldString: 'two', newString: '2', changes: [shown] })).toEqual({
      filePath: 'a',
      oldString: 'two',
      newString: 'new\nlines',
      changes: [{ ...shown, newText: 'one\nnew\nlines\nthree' }],
    });
    expect(
      changed({ path: 'a', content: 'x\r\ny', 'changes shown': [{ path: 'a', newText: 'x\r\ny' }] }),
    ).toEqual({
      path: 'a',
      content: 'new\r\nlines',
      'changes shown': [{ path: 'a', newText: 'new\r\nlines' }],
    });
  });

  it.each([
    { path: 'a', old_string: 'two', new_string: 'II', changes: [shown] },
    {
      path: 'a',
      old_string: 'two',
      new_string: '2',
      changes: [shown],
      'changes shown': [{ ...shown, newText: 'II' }],
    },
    { path: 'a', content: 'else', changes: [shown] },
    { path: 'a', old_string: 'two', new_string: '2', changes: [shown, { ...shown, path: 'b' }] },
    { changes: [shown], 'changes shown': [shown] },
    { path: 'a', old_string: 'two', newText: '2', new_string: 'rm' },
    { path: 'a', content: 'x', file_text: 'y' },
    { path: 'a', edits: [{ old_text: 'x', new_text: 'y', newText: 'z' }] },
    { path: 'a', old_string: 'two', new_string: '2', more: { path: 'b', patch: 'by hand' } },
    { edits: [shown], patch: '--- b\n+++ b\n@@ -1 +1 @@\n-x\n+y\n' },
    { edits: [shown], changes: { b: { type: 'delete' } } },
  ])('are none where nobody knows which of two counts, or something else becomes of files, too', (args) => {
    expect(texts(args)).toEqual([]);
  });

  it('change nothing else, whatever its fields are called', () => {
    const args = JSON.parse(
      '{"__proto__":{"x":1},"path":"a","edits":[{"newText":"y","n":null}],"z":[1]}',
    ) as Record<string, unknown>;
    expect(JSON.stringify(changed(args))).toBe(JSON.stringify(args).replace('"y"', '"new\\nlines"'));
  });
});
