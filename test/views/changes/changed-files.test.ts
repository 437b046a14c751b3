import { describe, expect, it } from 'vitest';
import { changesText, diffLines, shownPath } from '../../../src/views/changes/changed-files.ts';
import type { FileChange } from '../../../src/workflow/git/git-diff.ts';

const file = (over: Partial<FileChange>): FileChange => ({
  path: 'a.ts',
  how: 'changed',
  lines: { added: 1, removed: 2 },
  patch: '',
  note: undefined,
  ...over,
});

describe('changes in a line', () => {
  it('say how many there are and where they are from', () => {
    const files = [
      file({}),
      file({ path: 'b.png', lines: undefined }),
      file({ lines: { added: 4, removed: 0 } }),
    ];
    expect(changesText({ from: { sha: 'abcdef0123456789' }, files })).toBe(
      '3 files, +5 −2, commit abcdef012345',
    );
    expect(changesText({ from: 'since-begin', files: files.slice(0, 1) })).toBe(
      '1 file, +1 −2 since it began',
    );
    expect(changesText({ from: 'uncommitted', files: files.slice(1, 2) })).toMatch(
      / uncommitted, by any task$/,
    );
    expect(changesText({ from: 'since-commit', files: files.slice(1, 2) })).toBe(
      '1 file uncommitted, by any task',
    );
  });
});

describe('the lines of a diff', () => {
  it('are told by their signs, and have their numbers', () => {
    expect(
      diffLines('@@ -1,2 +1,2 @@ function a\n same\n-old\n+new\n\n\\ No newline at end of file\n'),
    ).toEqual([
      { is: 'place', text: '@@ -1,2 +1,2 @@ function a' },
      { is: 'same', text: ' same', before: 1, after: 1 },
      { is: 'removed', text: '-old', before: 2 },
      { is: 'added', text: '+new', after: 2 },
      { is: 'same', text: '', before: 3, after: 3 },
      { is: 'note', text: '\\ No newline at end of file' },
    ]);
  });

  it('show what would be hidden, and move nothing', () => {
    expect(diffLines('+\u001B[2Ka\u202Eb\tc\r\n')).toEqual([
      { is: 'added', text: String.raw`+\u001b[2Ka\u202eb    c\r` },
    ]);
  });

  it('say what is left out of a long line and a long file', () => {
    const [line] = diffLines(`+${'x'.repeat(2_010)}\n`);
    expect(line?.text).toMatch(/x… 11 characters more$/);
    const lines = diffLines('+x\n'.repeat(5_003));
    expect(lines).toHaveLength(5_001);
    expect(lines.at(-1)).toEqual({ is: 'note', text: '… 3 lines more' });
  });
});

describe('a path', () => {
  it('cannot move the cursor, break the line or reorder it', () => {
    expect(shownPath('a\nb\u001B[1m\u202Ec\td')).toBe(String.raw`a\nb\u001b[1m\u202ec\td`);
  });
});
