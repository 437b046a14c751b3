import { describe, expect, it } from 'vitest';
import { hostsOf } from '../../src/events/call-hosts.ts';
import { filesInCall } from '../../src/events/call-files/files-in-call.ts';
import { patchedFiles } from '../../src/events/call-files/patched-files.ts';

const marked = [
  '*** Begin Patch',
  '*** Update File: src/a.ts',
  '*** Move to: src/b.ts',
  '@@ function a() {',
  ' one',
  '-two',
  '+2',
  '',
  '*** Add File: new.ts',
  '+first',
  '+',
  '*** Delete File: old.ts',
  '*** End Patch',
].join('\n');

const unified = [
  'Index: /p/a.ts',
  '===================================================================',
  '--- /p/a.ts\t',
  '+++ /p/a.ts\t',
  '@@ -1,2 +1,2 @@',
  ' one',
  '--- two',
  '+2',
  '@@ -9 +9 @@ here',
  '-nine',
  '+9',
  '\\ No newline at end of file',
  '',
].join('\n');

describe('the files that a call names', () => {
  it.each<[string, object, string[]]>([
    [
      'a field of any spelling',
      { TargetFile: 'a', Path: 'b', FileName: 'c', 'target-file': 'd' },
      ['a', 'b', 'c', 'd'],
    ],
    ['lists', { file_paths: ['a', 'b'], paths: ['c'], locations: ['d'] }, ['a', 'b', 'c', 'd']],
    ['an object within', { input: { path: 'a', moved: { source: 'b' } } }, ['a', 'b']],
    ['a list within', { edits: [{ filePath: 'a' }, 7, null, { movePath: 'b' }] }, ['a', 'b']],
    [
      'a map by path',
      { changes: { 'a.ts': { update: { unified_diff: '', move_path: 'b.ts' } } } },
      ['a.ts', 'b.ts'],
    ],
    ['another map by path', { fileChanges: { a: { type: 'add', content: 'x' }, 'b/c': 'x' } }, ['a', 'b/c']],
    [
      'an object that may be a map, too',
      { changes: { path: 'a', newText: 'x', '.git/config': 'x' } },
      ['.git/config', 'a'],
    ],
    ['file: URLs', { uri: 'file:///p/a%20b.ts', url: 'https://example.com/c' }, ['/p/a b.ts']],
    ['a patch', { patch: marked }, ['src/a.ts', 'src/b.ts', 'new.ts', 'old.ts']],
    [
      'a patch, whatever its field is called',
      { input: marked },
      ['src/a.ts', 'src/b.ts', 'new.ts', 'old.ts'],
    ],
    [
      'a patch among words',
      { command: ['apply_patch', marked] },
      ['src/a.ts', 'src/b.ts', 'new.ts', 'old.ts'],
    ],
    ['a unified diff', { diff: unified }, ['/p/a.ts', 'two']],
    [
      'a diff that is not understood',
      { diff: '--- a/x\n+++ b/.git/config\n@@ no hunk' },
      ['x', '.git/config'],
    ],
    ['nothing', { text: 'a', command: 'ls' }, []],
    ['its prototype', JSON.parse('{"__proto__":{"x":1}}') as object, []],
  ])('are those of %s', (_what, args, paths) => {
    expect(filesInCall(args).paths.toSorted()).toEqual(paths.toSorted());
  });

  it('are no machines where their URL is of a file here, and are the text itself where it is read in two ways', () => {
    expect(
      hostsOf(filesInCall({ uri: 'file:///p/a', url: 'https://a.example', urls: ['file://other/p'] }).links),
    ).toEqual(['a.example', 'other']);
    expect(filesInCall({ uri: 'file:///p/a%2fb' }).paths).toEqual(['file:///p/a%2fb']);
    expect(filesInCall({ uri: 'file:///p/%2egit' }).named).toEqual(['file:///p/%2egit']);
  });

  it('are looked for only so deep', () => {
    const nested = (levels: number): object => (levels === 0 ? { path: 'a' } : { in: nested(levels - 1) });
    expect(filesInCall(nested(5)).paths).toEqual(['a']);
    expect(filesInCall(nested(6)).paths).toEqual([]);
  });
});

describe('a patch', () => {
  it('that begins as some agents have it says what becomes of each file', () => {
    expect(patchedFiles(marked)).toEqual([
      {
        path: 'src/a.ts',
        movedTo: 'src/b.ts',
        becomes: {
          is: 'edited',
          hunks: [{ old: 'one\ntwo\n\n', now: 'one\n2\n\n', places: ['@@ function a() {'] }],
        },
      },
      { path: 'new.ts', movedTo: undefined, becomes: { is: 'written', text: 'first\n\n' } },
      { path: 'old.ts', movedTo: undefined, becomes: { is: 'deleted' } },
    ]);
  });

  it('that is a unified diff has as many lines as it says, whatever they look like', () => {
    expect(patchedFiles(unified)).toEqual([
      {
        path: '/p/a.ts',
        movedTo: undefined,
        becomes: {
          is: 'edited',
          hunks: [
            { old: 'one\n-- two\n', now: 'one\n2\n', places: ['@@ -1,2 +1,2 @@'] },
            { old: 'nine\n', now: '9', places: ['@@ -9 +9 @@ here'] },
          ],
        },
      },
    ]);
  });

  it('says where in its file each change is, also within another place, or at its end', () => {
    const places = [
      '@@ class A',
      '@@ add()',
      ' x',
      '-one',
      '+1',
      '@@',
      ' y',
      '-two',
      '+2',
      '*** End of File',
    ];
    const patch = ['*** Begin Patch', '*** Update File: a.ts', ...places, '*** End Patch'].join('\n');
    expect(patchedFiles(patch)).toMatchObject([
      { becomes: { hunks: [{ places: ['@@ class A', '@@ add()'] }, { places: ['*** End of File'] }] } },
    ]);
  });

  it.each<[string, string, object]>([
    [
      'a new file',
      'diff --git a/n b/n\nnew file mode 100644\nindex 000..123\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n',
      { path: 'n', becomes: { is: 'written', text: 'x\n' } },
    ],
    [
      'a file that goes',
      '--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
      { path: 'n', becomes: { is: 'deleted' } },
    ],
    [
      'a file that moves',
      'diff --git a/n b/m\nsimilarity index 100%\nrename from n\nrename to m\n',
      { path: 'n', movedTo: 'm', becomes: { is: 'edited', hunks: [] } },
    ],
    [
      'a file without its name',
      '@@ -1 +1 @@\n-x\n+y\n',
      { path: undefined, becomes: { is: 'edited', hunks: [{ old: 'x\n', now: 'y\n' }] } },
    ],
    ['a folder that is called a', '--- a/n\n+++ a/n\n@@ -1 +1 @@\n-x\n+y\n', { path: 'a/n' }],
  ])('may be of %s', (_what, patch, file) => {
    expect(patchedFiles(patch)).toMatchObject([file]);
  });

  it.each([
    ['prose', 'Make it better'],
    ['prose around it', `Here it is:\n${unified}`],
    ['fewer lines than it says', '@@ -1,3 +1 @@\n-x\n+y\n'],
    ['more lines than it says', '--- n\n+++ n\n@@ -1 +1 @@\n-x\n+y\n+z\n'],
    ['a mode', 'diff --git a/n b/n\nold mode 100644\nnew mode 100755\n'],
    ['a name in quotes', '--- "a/\\303.txt"\n+++ "b/\\303.txt"\n@@ -1 +1 @@\n-x\n+y\n'],
    ['no end', marked.replace('*** End Patch', '')],
    ['a line of a new file that is none', '*** Begin Patch\n*** Add File: n\nx\n*** End Patch'],
  ])('with %s is not understood', (_what, patch) => {
    expect(patchedFiles(patch)).toBeUndefined();
  });
});
