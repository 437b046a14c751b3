import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { describe, expect, it } from 'vitest';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { hintWords } from '../../../src/views/requests/hint-words.ts';

/** `+a`, `-b`, ` c`: the lines of each change, behind its path. */
const drawn = (args: unknown) =>
  callChanges(filesInCall(args)).map(({ path, how, lines }) => [
    `${how} ${path}`,
    ...lines.map(({ is, text }) => `${{ added: '+', removed: '-', kept: ' ' }[is]}${text}`),
  ]);

describe('callChanges', () => {
  it.each([
    { file_path: 'a.ts', old_string: 'one\ntwo\n', new_string: 'one\n2\n' },
    { filePath: 'a.ts', oldString: 'one\ntwo', newString: 'one\n2' },
    { path: 'a.ts', edits: [{ oldText: 'one\ntwo', newText: 'one\n2' }] },
    { title: 'Edit', content: [{ type: 'diff', path: 'a.ts', oldText: 'one\ntwo', newText: 'one\n2' }] },
    {
      filePath: 'a.ts',
      oldString: 'two',
      newString: '2',
      changes: [{ path: 'a.ts', oldText: 'one\ntwo', newText: 'one\n2' }],
    },
    { TargetFile: 'a.ts', ReplacementChunks: [{ TargetContent: 'one\ntwo', ReplacementContent: 'one\n2' }] },
    { input: { uri: 'file:///a.ts', oldText: 'one\ntwo', newText: 'one\n2' } },
    { filepath: 'a.ts', diff: '--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n' },
    { changes: { 'a.ts': { type: 'update', unified_diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2\n' } } },
    {
      changes: { 'a.ts': { update: { unified_diff: '@@ -1,2 +1,2 @@\n one\n-two\n+2\n', move_path: null } } },
    },
    { input: '*** Begin Patch\n*** Update File: a.ts\n@@\n one\n-two\n+2\n*** End Patch' },
  ])('knows an edit, however it is said: %j', (args) => {
    expect(drawn(args)).toEqual([[expect.stringMatching(/^edit \/?a\.ts$/), ' one', '-two', '+2']]);
  });

  it.each([
    [
      { path: 'a', file_path: 'b', content: 'x\ny' },
      [
        ['write a', '+x', '+y'],
        ['write b', '+x', '+y'],
      ],
    ],
    [
      { path: 'a', file: 'b', old_string: 'x', new_string: 'y' },
      [
        ['edit a', '-x', '+y'],
        ['edit b', '-x', '+y'],
      ],
    ],
    [
      { file_path: 'b', content: 'x\ny', changes: [{ path: 'a', oldText: null, newText: 'z' }] },
      [
        ['write a', '+z'],
        ['write b', '+x', '+y'],
      ],
    ],
    [
      { file_path: '/home/ann/src/a', content: 'x\ny', changes: [{ path: 'src/a', newText: 'x\ny' }] },
      [['write /home/ann/src/a', '+x', '+y']],
    ],
  ])('shows each file that a call names as its own: %j', (args, changes) => {
    expect(drawn(args)).toEqual(changes);
  });

  it.each<[object, string[][]]>([
    [
      { fileChanges: { a: 'x\ny', b: { content: 'z\n\n' } } },
      [
        ['write a', '+x', '+y'],
        ['write b', '+z', '+'],
      ],
    ],
    [
      { changes: { a: { type: 'delete', content: 'x\ny' }, b: { delete: {} } } },
      [['delete a'], ['delete b']],
    ],
    [
      {
        patch:
          '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch',
      },
      [['edit a', '-x', '+y'], ['move b'], ['delete c']],
    ],
    // The patch of all of them, and of each.
    [
      {
        filepath: 'a, b',
        diff: '--- /p/a\n+++ /p/a\n@@ -1 +1 @@\n-x\n+y\n\n--- /p/b\n+++ /p/b\n@@ -1 +0,0 @@\n-x\n',
        files: [
          {
            filePath: '/p/a',
            type: 'update',
            patch: '--- /p/a\n+++ /p/a\n@@ -1 +1 @@\n-x\n+y\n',
            movePath: '/p/c',
          },
          { filePath: '/p/b', type: 'delete', patch: '--- /p/b\n+++ /p/b\n@@ -1 +0,0 @@\n-x\n' },
        ],
      },
      [['move /p/c'], ['edit /p/a', '-x', '+y'], ['delete /p/b']],
    ],
    [{ path: 'a', insert_line: 3, new_str: 'x\ny' }, [['edit a', '+x', '+y']]],
    [{ changes: { 'file:///a': [{ range: {}, newText: 'x' }] } }, [['edit /a', '+x']]],
  ])('shows what becomes of each file: %j', (args, changes) => {
    expect(drawn(args)).toEqual(changes);
  });

  it('has changes that are alike at two places of a file as two, and where each is', () => {
    const alike = ['-x', '+y'];
    const body = ['@@ one()', ...alike, '@@ two()', ...alike, '@@ two()', ...alike];
    const patch = ['*** Begin Patch', '*** Update File: a', ...body, '*** End Patch'].join('\n');
    expect(callChanges(filesInCall({ patch })).map(({ places }) => places)).toEqual([
      ['@@ one()'],
      ['@@ two()'],
    ]);
  });

  it('finds the lines of a patch where lines begin, and says in which one', () => {
    const patch = '@@ -1 +1 @@\n-two\n+2\n';
    const at = (text: string) => {
      const [change] = callChanges(filesInCall({ path: 'a', patch }), new Map([['a', { is: 'text', text }]]));
      return [change?.isFound, change?.firstLine];
    };
    expect(at('one\ntwo\n')).toEqual([true, 2]);
    expect(at('two\n')).toEqual([true, 1]);
    expect(at('one-two\n')).toEqual([false, undefined]);
    expect(at('two\ntwo\n')).toEqual([true, undefined]);
  });

  it('shows every line of both texts, also those that are said to be there already', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const [change] = callChanges(
      filesInCall({
        path: 'a',
        oldText: lines.join('\n'),
        newText: [...lines, 'evil'].join('\n'),
      }),
    );
    expect(change?.lines).toHaveLength(41);
  });

  it.each([
    [{ path: 'a.md', content: '# A\n\ntext\n' }, [['write a.md', '+# A', '+', '+text']]],
    [{ path: 'a', oldText: null, newText: 'x' }, [['write a', '+x']]],
    [{ path: 'a', old_string: 'x', new_string: '' }, [['edit a', '-x']]],
    [{ path: 'a.md' }, []],
    [{ content: 'no path' }, []],
    [{ command: 'npm test' }, []],
    ['text', []],
  ])('%j', (args, changes) => {
    expect(drawn(args)).toEqual(changes);
  });

  it.each([
    ['#', '#\n', [' #', '+']],
    ['b\n', 'b', [' b', '-']],
    ['a\n', 'b\n', ['-a', '+b']],
  ])('shows that %j becomes %j, whose last line ends or does not', (oldText, newText, lines) => {
    expect(drawn({ path: 'a.sh', oldText, newText })).toEqual([['edit a.sh', ...lines]]);
  });

  it('tells of a change once that is said twice', () => {
    const edit = { path: 'a', oldText: 'x', newText: 'y' };
    expect(drawn({ edits: [edit], changes: [edit] })).toHaveLength(1);
  });

  it('looks no further where next to nothing is alike', () => {
    const text = (word: string) =>
      ['same', ...Array.from({ length: 1_500 }, (_, at) => `${word} ${at}`)].join('\n');
    const [change] = callChanges(filesInCall({ path: 'a', oldText: text('x'), newText: text('y') }));
    expect(change?.lines).toHaveLength(3_002);
    expect(change?.lines.some(({ is }) => is === 'kept')).toBe(false);
  });
});

it('hints of a server are words, and what nobody knows is as it is said', () => {
  expect(
    hintWords({ readOnlyHint: true, destructiveHint: false, title: 'Read', openWorldHint: 'yes' }),
  ).toEqual(['only reads', 'only adds', 'title "Read"', 'openWorldHint "yes"']);
  expect(hintWords({ readOnlyHint: false, destructiveHint: true })).toEqual(['may destroy']);
  expect(hintWords({ readOnlyHint: false })).toEqual(['may change things']);
  expect(hintWords(undefined)).toEqual([]);
});

describe('what an agent says in its input, and shows beside it', () => {
  const shown = (newText: string, path = 'a.ts') => ({ path, newText });

  it('is there once where both are the same', () => {
    expect(drawn({ path: 'a.ts', content: 'x\ny', changes: [shown('x\ny\n')] })).toHaveLength(1);
    const edit = { path: 'a.ts', old_string: 'b', new_string: 'c' };
    const whole = { path: 'a.ts', oldText: 'a\nb\n', newText: 'a\nc\n' };
    expect(drawn({ ...edit, changes: [whole] })).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['another text', { content: 'evil\nevil', changes: [shown('good\ngood')] }],
    [
      'another edit',
      { old_string: 'b', new_string: 'evil', changes: [{ ...shown('a\nc\n'), oldText: 'a\nb\n' }] },
    ],
    [
      'a text of a patch',
      {
        patch: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-b\n+evil\n',
        changes: [{ ...shown('a\nc\n'), oldText: 'a\nb\n' }],
      },
    ],
    [
      'less than all of it',
      {
        patch: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-b\n+delete\n',
        changes: [{ path: 'a.ts', type: 'delete' }],
      },
    ],
    [
      'what would go',
      {
        patch: '--- a.ts\n+++ a.ts\n@@ -1 +0,0 @@\n-evil\n',
        changes: [{ ...shown('evil\nc\n'), oldText: 'evil\nb\n' }],
      },
    ],
    ['that it goes', { type: 'delete', changes: [{ ...shown('a\nc\n'), oldText: 'a\nb\n' }] }],
  ])('is there twice where it differs: %s', (_, said) => {
    const changes = drawn({ path: 'a.ts', ...said });
    expect(changes).toHaveLength(2);
    expect(JSON.stringify(changes)).toMatch(/evil|delete/);
  });

  it('is not of another file that ends in the same name', () => {
    const edit = { path: '/project/test/a.ts', old_string: 'b', new_string: 'c' };
    const paths = callChanges(
      filesInCall({ ...edit, edits: [{ path: 'a.ts', old_string: 'x', new_string: 'y' }] }),
    );
    expect(paths.map(({ path }) => path).toSorted()).toEqual(['/project/test/a.ts', 'a.ts']);
  });

  it('is there once where a patch says a part of what is shown', () => {
    const patch = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-a\n+x\n@@ -3 +3 @@\n-c\n+z\n';
    expect(
      drawn({ path: 'a.ts', patch, changes: [{ ...shown('x\nb\nz\n'), oldText: 'a\nb\nc\n' }] }),
    ).toHaveLength(1);
  });

  it('has the whole path of a file', () => {
    const said = { path: '/project/vendor/src/a.ts', content: 'x\ny', changes: [shown('x\ny', 'src/a.ts')] };
    expect(drawn(said)).toEqual([['write /project/vendor/src/a.ts', '+x', '+y']]);
  });
});
