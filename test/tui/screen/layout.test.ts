import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOut, mostRemarks } from '../../../src/tui/screen/layout.ts';
import { positionText, visibleSlice } from '../../../src/tui/text/visible-slice.ts';

const base = {
  columns: 80,
  rows: 24,
  questionLines: undefined,
  answerLines: 1,
  isBoxed: true,
  remarkLines: 0,
};

describe('layOut', () => {
  it('gives everything to the panes while nobody asks', () => {
    expect(layOut(base)).toMatchObject({ bodyRows: 20, questionRows: 0, isNarrow: false });
  });

  it('gives a question what it needs', () => {
    expect(layOut({ ...base, questionLines: 3 })).toMatchObject({
      questionRows: 3,
      bodyRows: 14,
      answerRows: 1,
    });
  });

  it('keeps rows for the panes beside a long question', () => {
    expect(layOut({ ...base, questionLines: 90 })).toMatchObject({ questionRows: 12, bodyRows: 5 });
  });

  it('shows all lines of an answer that stands in no box', () => {
    expect(layOut({ ...base, rows: 10, questionLines: 90, answerLines: 3, isBoxed: false })).toMatchObject({
      questionRows: 2,
      bodyRows: 1,
      answerRows: 3,
    });
  });

  it('shows one pane at a time below 60 columns', () => {
    expect(layOut({ ...base, columns: 59, questionLines: 90 })).toMatchObject({
      isNarrow: true,
      questionRows: 18,
    });
  });

  it.each([
    [39, 24, true],
    [80, 9, true],
    [40, 10, false],
  ])('%i×%i is too small: %s', (columns, rows, isTooSmall) => {
    expect(layOut({ ...base, columns, rows }).isTooSmall).toBe(isTooSmall);
  });

  it('never draws more rows than there are', () => {
    const contents = fc.record({
      columns: fc.integer({ min: 60, max: 300 }),
      rows: fc.integer({ min: 10, max: 100 }),
      questionLines: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
      answer: fc.oneof(
        fc.record({ answerLines: fc.integer({ min: 1, max: 200 }), isBoxed: fc.constant(true) }),
        fc.record({ answerLines: fc.integer({ min: 1, max: 3 }), isBoxed: fc.constant(false) }),
      ),
      remarks: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(contents, ({ remarks, answer, ...sizes }) => {
        const asked = { ...sizes, ...answer, remarkLines: Math.min(remarks, mostRemarks(sizes.rows)) };
        const { bodyRows, questionRows, answerRows } = layOut(asked);
        const chrome = 4 + asked.remarkLines + (asked.questionLines === undefined || !asked.isBoxed ? 0 : 2);
        return bodyRows >= 1 && chrome + bodyRows + questionRows + answerRows === asked.rows;
      }),
    );
  });
});

describe('visibleSlice', () => {
  const slice = (count: number, rows: number, focus: number) =>
    visibleSlice(
      Array.from({ length: count }, (_, at) => at),
      rows,
      (item) => item === focus,
    );

  it('shows all that fits', () => {
    expect(slice(3, 3, 0)).toEqual({ items: [0, 1, 2], above: 0, below: 0 });
  });

  it('keeps the focused item in the middle, as far as that goes', () => {
    expect(slice(10, 5, 5)).toEqual({ items: [3, 4, 5, 6, 7], above: 3, below: 2 });
    expect(slice(10, 5, 0)).toEqual({ items: [0, 1, 2, 3, 4], above: 0, below: 5 });
    expect(slice(10, 5, 9)).toEqual({ items: [5, 6, 7, 8, 9], above: 5, below: 0 });
  });

  it('says where the focus is in a list that does not fit', () => {
    const items = Array.from({ length: 300 }, (_, at) => at);
    expect(positionText(items, 20, (item) => item === 11)).toBe('12/300');
    expect(positionText(items, 300, (item) => item === 11)).toBe('');
  });

  it('always shows the focus, and as many rows as there are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(),
        (count, rows, any) => {
          const focus = any % count;
          const { items, above, below } = slice(count, rows, focus);
          expect(items).toContain(focus);
          expect(above + items.length + below).toBe(count);
          expect(items.length).toBe(Math.min(rows, count));
        },
      ),
    );
  });
});
