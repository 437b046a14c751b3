import { describe, expect, it } from 'vitest';
import { toAscii } from '../../src/lib/text/ascii.ts';
import { cellsOf } from '../../src/lib/text/cells.ts';

describe('toAscii', () => {
  it('has a sign of its own for each state, and lines that are lines', () => {
    const marks = ['○', '●', '■', '✔', '✗', '–'].map((mark) => toAscii(mark, 'signs'));
    expect(marks).toEqual(['o', '*', '#', '+', 'x', '-']);
    expect(toAscii('── Tasks ─┬─', 'signs')).toBe('-- Tasks -+-');
    expect(toAscii('╭──╮ │ ┃ ━━╍─ › …', 'signs')).toBe('+--+ | | ==x- > .');
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
