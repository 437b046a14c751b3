import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { diffRows, type DiffRow } from '../../../src/views/changes/diff-rows.ts';
import { foldedStretches } from '../../../src/views/changes/folded-lines.ts';
import { patchRows } from '../../../src/views/changes/patch-rows.ts';

const linesOf = (oldText: string, newText: string) =>
  callChanges(filesInCall({ path: 'a', oldText, newText }))[0]?.lines ?? [];

const signs = { added: '+', removed: '-', kept: ' ' } as const;

/** `3 . -const [one] = 1`: both numbers, sign, and the text with its marks in brackets. */
const drawn = (rows: readonly DiffRow[]) =>
  rows.map(({ is, before = '.', after = '.', pieces }) => {
    const text = pieces.map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text)).join('');
    return `${before} ${after} ${signs[is]}${text}`;
  });

const rowsBetween = (old: string, now: string, first = 1) =>
  drawn(diffRows(linesOf(old, now), { before: first, after: first }));

describe('rows of a change', () => {
  it('have the numbers of both sides, from where the change stands', () => {
    expect(rowsBetween('a\nb\nc', 'a\nx\ny\nc', 40)).toEqual([
      '40 40  a',
      '41 . -b',
      '. 41 +x',
      '. 42 +y',
      '42 43  c',
    ]);
  });

  it('have no numbers where nobody knows that', () => {
    expect(drawn(diffRows(linesOf('a\nb', 'a\nc'), undefined))).toEqual(['. .  a', '. . -b', '. . +c']);
  });

  it('mark the words by which lines differ, and blanks between two of them', () => {
    expect(rowsBetween('const port = 80; // an old hat', 'const host = 80; // a new hat')).toEqual([
      '1 . -const [port] = 80; // [an old] hat',
      '. 1 +const [host] = 80; // [a new] hat',
    ]);
  });

  it('mark words across a line that was broken in two', () => {
    expect(rowsBetween('call(first, second)', 'call(first,\n  second, third)')).toEqual([
      '1 . -call(first,[ ]second)',
      '. 1 +call(first,',
      '. 2 +  second[, third])',
    ]);
  });

  it('mark the blanks that begin a line only where nothing else of it differs', () => {
    expect(rowsBetween('  if (one)\n    call(one, two, last)', '  call(one, three, last)')).toEqual([
      '1 . -  if (one)',
      '2 . -    call(one, [two], last)',
      '. 1 +  call(one, [three], last)',
    ]);
    expect(rowsBetween('  call(one)', '    call(one)')).toEqual([
      '1 . -[  ]call(one)',
      '. 1 +[    ]call(one)',
    ]);
  });

  it('mark nothing on a line that is another one', () => {
    expect(rowsBetween('one thing', 'something else entirely')).toEqual([
      '1 . -one thing',
      '. 1 +something else entirely',
    ]);
  });

  it('mark nothing in texts that are too long to be looked through', () => {
    const text = (word: string) => Array.from({ length: 3_000 }, () => `same ${word}`).join('\n');
    expect(
      diffRows(linesOf(text('x'), text('y')), undefined).every(({ pieces }) => pieces.length === 1),
    ).toBe(true);
  });

  it('leave marks that are heaped on a letter together: it is looked at how many they are', () => {
    const heap = '\u0301'.repeat(9);
    const rows = diffRows(linesOf('same words and e', `same words and e${heap}`), undefined);
    expect(rows.at(-1)?.pieces.at(-1)).toEqual({ text: `e${heap}`, isMarked: true });
  });

  it('are the same texts, whatever is marked', () => {
    const line = fc.array(
      fc.constantFrom('a', 'b', ' ', '\t', ';', 'é', '\u0301', '👍', '\u202e', '\ud800'),
      {
        maxLength: 8,
      },
    );
    const text = fc
      .array(
        line.map((parts) => parts.join('')),
        { maxLength: 6 },
      )
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(text, text, (old, now) => {
        const lines = linesOf(old, now);
        const rows = diffRows(lines, { before: 1, after: 1 });
        expect(
          rows.map(({ is, pieces }) => ({ is, text: pieces.map((piece) => piece.text).join('') })),
        ).toEqual(lines);
        const numbers = (side: 'before' | 'after') => rows.flatMap((row) => row[side] ?? []);
        for (const side of ['before', 'after'] as const)
          expect(numbers(side)).toEqual(numbers(side).map((_, at) => at + 1));
      }),
    );
  });
});

describe('folding', () => {
  const text = (changed: string) =>
    ['top', ...Array.from({ length: 20 }, (_, at) => `line ${at}`), changed, 'end'].join('\n');
  const folded = (old: string, now: string) =>
    foldedStretches(linesOf(old, now)).map(({ isFolded, lines }) => [
      isFolded ? 'folded' : 'shown',
      lines.length,
    ]);

  it('leaves three lines around what changes, and nothing out', () => {
    expect(folded(text('old'), text('new'))).toEqual([
      ['folded', 18],
      ['shown', 3],
      ['shown', 2],
      ['shown', 1],
    ]);
  });

  it('is not worth it for a few lines', () => {
    const few = (changed: string) => ['1', '2', '3', '4', '5', '6', '7', changed].join('\n');
    expect(folded(few('old'), few('new')).map(([is]) => is)).not.toContain('folded');
    expect(folded(`0\n${few('old')}`, `0\n${few('new')}`)[0]).toEqual(['folded', 5]);
  });

  it('shows all of a file that is written', () => {
    const lines = linesOf('', text('x'));
    expect(foldedStretches(lines)).toEqual([{ isFolded: false, lines }]);
  });
});

describe('rows of a unified diff', () => {
  it('have the numbers that its hunks say, each below its place', () => {
    const patch = '--- was\n+++ is\n@@ -3,2 +3,2 @@\n a\n-beta one\n+beta two\n@@ -9 +9 @@\n-x\n+y\n';
    expect(patchRows(patch).map(({ head, rows }) => [head, ...drawn(rows)])).toEqual([
      [undefined, '. .  --- was', '. .  +++ is'],
      ['@@ -3,2 +3,2 @@', '3 3  a', '4 . -beta [one]', '. 4 +beta [two]'],
      ['@@ -9 +9 @@', '9 . -x', '. 9 +y'],
    ]);
  });

  it('have no number where they are a note', () => {
    const patch = '@@ -1 +1,2 @@\n-x\n\\ No newline at end of file\n+x one\n+y\n';
    expect(patchRows(patch).flatMap(({ rows }) => drawn(rows))).toEqual([
      '1 . -x',
      '. .  \\ No newline at end of file',
      '. 1 +x one',
      '. 2 +y',
    ]);
  });

  it('of a text that is none are its lines', () => {
    expect(patchRows('It is not what it was\nat all').flatMap(({ rows }) => drawn(rows))).toEqual([
      '. .  It is not what it was',
      '. .  at all',
    ]);
  });
});
