import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cellsOf, fill, fit, graphemesOf, wrap } from '../../../src/lib/text/cells.ts';
import { plainCells } from '../../../src/lib/text/plain-cells.ts';

describe('fit and fill', () => {
  it.each([
    ['short', 8, 'short', 'short   '],
    ['too long', 6, 'too l…', 'too l…'],
    ['日本語', 5, '日本…', '日本…'],
    ['日本語', 4, '日…', '日… '],
    ['x', 0, '', ''],
  ])('%j into %i cells', (text, width, fitted, filled) => {
    expect([fit(text, width), fill(text, width)]).toEqual([fitted, filled]);
  });
});

it('counts cells and characters of what is short to tell as one who knows all of Unicode does', () => {
  const ranges = [
    [0x20, 0x37f],
    [0x2008, 0x2040],
    [0x2188, 0x2208],
    [0x24f8, 0x2608],
    [0x2708, 0x2720],
  ] as const;
  const texts = ranges
    .flatMap(([from, to]) =>
      Array.from({ length: to - from }, (_, index) => String.fromCharCode(from + index)),
    )
    .flatMap((character) => [character, `—${character}✔`, `${character}\ufe0f`]);
  const segmenter = new Intl.Segmenter();
  const told = texts.map((text) => [text, cellsOf(text), graphemesOf(text).length]);
  expect(told).toEqual(texts.map((text) => [text, stringWidth(text), [...segmenter.segment(text)].length]));
});

describe('texts of plain characters, in whatever colours', () => {
  it.each(['\u001B[1;38;5;9m✓\u001B[0m one', '\u001B[4:3mcurly\u001B[m', '', '│ ─ › ✓'])(
    'takes the cells of %j',
    (text) => {
      expect(plainCells(text)).toBe(stringWidth(text));
    },
  );

  it.each([
    '\u001B]8;;https://example.com\u0007link\u001B]8;;\u0007',
    '\u001B[2J',
    '日本',
    '\u001B[1m❤\ufe0f',
    'e\u0301',
  ])('does not know %j', (text) => {
    expect(plainCells(text)).toBeUndefined();
  });
});

describe('wrap', () => {
  it.each([
    ['breaks between words', 'one two three', 8, ['one two', 'three']],
    ['breaks inside a word that is too long', 'abcdefgh ij', 4, ['abcd', 'efgh', 'ij']],
    ['keeps line breaks and empty lines', 'a\n\nb', 4, ['a', '', 'b']],
    ['leaves out the blanks where it breaks', 'one          two   three', 8, ['one', 'two', 'three']],
    ['keeps an indent', '    indented text', 12, ['    indented', 'text']],
    ['counts wide characters as two', '日本語です', 4, ['日本', '語で', 'す']],
    ['never splits a character', '👨‍👩‍👧👨‍👩‍👧', 3, ['👨‍👩‍👧', '👨‍👩‍👧']],
    ['goes on when nothing fits', '日本', 1, ['日', '本']],
  ])('%s', (_rule, text, width, rows) => {
    expect(wrap(text, width)).toEqual(rows);
  });
  it('takes time that grows with the text, not with its square', () => {
    const line = 'lorem ipsum dolor sit amet '.repeat(4_000);
    const before = performance.now();
    const rows = wrap(line, 80);
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(rows.join(' ')).toBe(line.trim());
  });
});
