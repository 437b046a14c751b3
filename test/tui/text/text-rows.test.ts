import { describe, expect, it } from 'vitest';
import { rowsAround, textRows } from '../../../src/tui/text/text-rows.ts';

describe('rows of an input box', () => {
  it('breaks where the box ends and shows the cursor in its row', () => {
    expect(textRows({ text: 'abcdef', cursor: 4 }, 4)).toEqual([
      { text: 'abcd' },
      { text: 'ef', cursor: { before: '', at: 'e', after: 'f' } },
    ]);
  });

  it('gives a cursor behind a full row a row of its own', () => {
    expect(textRows({ text: 'abcd', cursor: 4 }, 4)).toEqual([
      { text: 'abcd' },
      { text: '', cursor: { before: '', at: ' ', after: '' } },
    ]);
  });

  it('keeps the cursor of a line break at the end of its line', () => {
    expect(textRows({ text: 'ab\n', cursor: 2 }, 4)).toEqual([
      { text: 'ab', cursor: { before: 'ab', at: ' ', after: '' } },
      { text: '' },
    ]);
  });

  it('counts cells, not characters', () => {
    expect(textRows({ text: '日本語', cursor: 0 }, 4).map(({ text }) => text)).toEqual(['日本', '語']);
  });

  it('shows a tab as two blanks', () => {
    expect(textRows({ text: '\ta', cursor: 2 }, 8)[0]).toMatchObject({ text: '  a' });
  });

  it('keeps what stands for a paste together', () => {
    const fold = '\ufdd0';
    const buffer = { text: `ab${fold}c`, cursor: 2, pastes: ['x'.repeat(5_000)] };
    expect(textRows(buffer, 27)).toEqual([
      {
        text: 'ab[5,000 characters pasted]',
        cursor: { before: 'ab', at: '[5,000 characters pasted]', after: '' },
      },
      { text: 'c' },
    ]);
    expect(textRows(buffer, 26).map(({ text }) => text)).toEqual(['ab', '[5,000 characters pasted]c']);
  });

  it('shows the rows around the cursor', () => {
    const rows = textRows({ text: 'a\nb\nc\nd', cursor: 4 }, 4);
    expect(rowsAround(rows, 2).map(({ text }) => text)).toEqual(['b', 'c']);
    expect(rowsAround(textRows({ text: 'a\nb\nc', cursor: 0 }, 4), 2).map(({ text }) => text)).toEqual([
      'a',
      'b',
    ]);
  });
});
