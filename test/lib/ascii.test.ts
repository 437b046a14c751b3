import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toAscii } from '../../src/lib/text/ascii.ts';
import { cellsOf } from '../../src/lib/text/cells.ts';

const src = join(import.meta.dirname, '../../src');

describe('toAscii', () => {
  it('has a sign of its own for each state, and lines that are lines', () => {
    const marks = ['○', '●', '■', '✔', '✗', '–'].map((mark) => toAscii(mark, 'signs'));
    expect(marks).toEqual(['o', '*', '#', '+', 'x', '-']);
    expect(toAscii('── Tasks ─┬─', 'signs')).toBe('-- Tasks -+-');
    expect(toAscii('╭──╮ │ ┃ ━━╍─ › …', 'signs')).toBe('+--+ | | ==x- > ~');
    // Of a command each line is one of its own, on one line, too.
    expect(toAscii('cd a ⏎ rm b', 'signs')).toBe('cd a ; rm b');
  });

  it('has one for every sign that the faces at a terminal are drawn with', async () => {
    const files = (await Array.fromAsync(glob('{tui,views,cli}/**/*.{ts,tsx}', { cwd: src }))).map((file) =>
      join(src, file),
    );
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const signs = [...new Set(texts.flatMap((text) => text.match(/[\u2000-\u2BFF]/g) ?? []))];
    expect(signs.length).toBeGreaterThan(30);
    expect(signs.filter((sign) => /[?\u0080-\uFFFF]/.test(toAscii(sign, 'signs')))).toEqual([]);
  });

  it('keeps letters of others, unless nothing but ASCII can be shown', () => {
    expect(toAscii('Übung 寿司 · ok', 'signs')).toBe('Übung 寿司 - ok');
    expect(toAscii('Übung 寿司 · ok', 'all')).toBe('Ubung ???? - ok');
  });

  it.each(['é', 'é', '寿司', '👩‍👩‍👧', 'ﬁ', '½', '▏', '⇧', '\u200D'])('takes as many cells for %s', (text) => {
    const ascii = toAscii(text, 'all');
    expect(cellsOf(ascii)).toBe(cellsOf(text));
    expect(ascii).toMatch(/^[ -~]*$/);
  });
});
