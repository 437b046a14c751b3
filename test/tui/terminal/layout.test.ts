import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divide, hasBorder, layOut, mostRemarks, type Contents } from '../../../src/tui/terminal/layout.ts';
import { screenSize } from '../../../src/tui/terminal/screen-size.ts';
import { positionText, visibleSlice } from '../../../src/tui/text/visible-slice.ts';

const base = {
  columns: 80,
  rows: 24,
  tasks: 3,
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

  it('gives a card that somebody decides about all of the screen, where it does not fit', () => {
    const card = { ...base, isBoxed: false, isCard: true };
    expect(layOut({ ...card, questionLines: 90 })).toMatchObject({ questionRows: 20, isNarrow: true });
    expect(layOut({ ...card, questionLines: 4 })).toMatchObject({ questionRows: 4, bodyRows: 15 });
  });

  it('has no border around the answer on a low screen, where the options need its rows', () => {
    const low = { ...base, columns: 40, rows: 10, questionLines: 4, optionLines: 3 };
    expect(layOut(low)).toMatchObject({ questionRows: 3, optionRows: 3, answerRows: 1 });
    expect(layOut({ ...low, rows: 13 })).toMatchObject({ questionRows: 4, optionRows: 3 });
  });

  it('folds what is asked while keys move in the panes, where it would keep half of the screen', () => {
    const left = { ...base, questionLines: 90, optionLines: 3, isLeft: true };
    const folded = {
      isFolded: true,
      bodyRows: 24 - 3 - 1 - 2,
      questionRows: 1,
      optionRows: 0,
      answerRows: 1,
    };
    expect(layOut(left)).toMatchObject(folded);
    expect(layOut({ ...left, rows: 60 })).toMatchObject({ isFolded: true });
    for (const over of [
      { isLeft: false },
      { questionLines: 1, optionLines: 0 },
      { columns: 200 },
      { columns: 59 },
    ])
      expect(layOut({ ...left, ...over })).toMatchObject({ isFolded: false });
  });

  it('shows all lines of an answer that stands in no box', () => {
    expect(layOut({ ...base, rows: 22, questionLines: 90, answerLines: 3, isBoxed: false })).toMatchObject({
      questionRows: 10,
      bodyRows: 5,
      answerRows: 3,
    });
  });

  it('shows a question alone where the panes beside it would have fewer than four rows', () => {
    const low = { ...base, columns: 60, rows: 16, questionLines: 90 };
    expect(layOut(low)).toMatchObject({ isNarrow: true, questionRows: 10 });
    expect(layOut({ ...low, questionLines: undefined })).toMatchObject({ isNarrow: false });
    expect(layOut({ ...low, isLeft: true })).toMatchObject({ isNarrow: false, isFolded: true });
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
    expect(screenSize({ columns, rows }).isTooSmall).toBe(isTooSmall);
  });

  it('says what there is to say of a task below a list that leaves room for that', () => {
    expect(layOut(base)).toMatchObject({ listRows: 3, factsRows: 16 });
    expect(layOut({ ...base, tasks: 300 })).toMatchObject({ listRows: 20, factsRows: 0 });
    expect(layOut({ ...base, rows: 60, tasks: 300 })).toMatchObject({ listRows: 39, factsRows: 16 });
    expect(layOut({ ...base, columns: 59 })).toMatchObject({ listRows: 21, factsRows: 0 });
  });

  it('has the last events of the sprint below that, on a screen of three columns that is high enough', () => {
    const wide = { ...base, columns: 200, rows: 60 };
    expect(layOut(wide)).toMatchObject({ listRows: 3, factsRows: 13, eventRows: 56 - 3 - 1 - 13 - 1 });
    expect(layOut({ ...wide, tasks: 300 })).toMatchObject({ factsRows: 16, eventRows: 0 });
    expect(layOut({ ...wide, columns: 159 })).toMatchObject({ factsRows: 52, eventRows: 0 });
    expect(layOut({ ...wide, rows: 30 })).toMatchObject({ factsRows: 22, eventRows: 0 });
  });

  it('gives a list of two columns what its titles need, up to half, where the other one keeps 60 cells', () => {
    const widths = (columns: number, listWidth: number) => {
      const { tasksWidth, outputWidth } = divide(columns, { listWidth, column: 'output' });
      return [tasksWidth, outputWidth];
    };
    expect(widths(120, 90)).toEqual([59, 60]);
    expect(widths(120, 50)).toEqual([50, 69]);
    expect(widths(120, 30)).toEqual([48, 71]);
    expect(widths(150, 90)).toEqual([75, 74]);
    expect(widths(80, 90)).toEqual([32, 47]);
  });

  it('has a third column from 160 columns on, which the question takes', () => {
    expect(divide(159)).toMatchObject({ besideWidth: 0, boxWidth: 159 });
    expect(divide(160)).toMatchObject({ tasksWidth: 48, outputWidth: 62, besideWidth: 48, boxWidth: 48 });
    expect(layOut({ ...base, columns: 200, rows: 60, questionLines: 90 })).toMatchObject({
      bodyRows: 56,
      questionRows: 53,
      answerRows: 1,
    });
  });

  it('has the keys of a question right below it in a column of its own, and a pane where it leaves room', () => {
    const wide = { ...base, columns: 200, hasKeys: true };
    expect(layOut({ ...wide, rows: 60, questionLines: 7 })).toMatchObject({
      questionRows: 7,
      keyRows: 2,
      // Of 57 rows, without the rule and the question, its box, its keys, and the rule of the pane.
      underRows: 57 - 1 - 7 - 3 - 2 - 1,
    });
    expect(layOut({ ...wide, rows: 60, questionLines: 90 })).toMatchObject({ keyRows: 2, underRows: 0 });
    expect(layOut({ ...wide, rows: 20, questionLines: 7 })).toMatchObject({ keyRows: 0, underRows: 0 });
    expect(layOut({ ...wide, columns: 120, rows: 60, questionLines: 7 })).toMatchObject({
      keyRows: 0,
      underRows: 0,
    });
  });

  it('gives a list of three columns what it needs, and most of the rest to what is read', () => {
    const widths = (listWidth: number, column: 'output' | 'beside') => {
      const { tasksWidth, outputWidth, besideWidth } = divide(200, { listWidth, column });
      return [tasksWidth, outputWidth, besideWidth];
    };
    expect(widths(50, 'output')).toEqual([50, 84, 64]);
    expect(widths(50, 'beside')).toEqual([50, 64, 84]);
    expect(widths(500, 'output')).toEqual([78, 68, 52]);
    expect(widths(3, 'output')[0]).toBe(46);
  });

  it('fills every terminal from 40×10 to 300×80, and nothing overlaps', () => {
    const wrong: string[] = [];
    for (let columns = 40; columns <= 300; columns += 1)
      for (let rows = 10; rows <= 80; rows += 1)
        for (const contents of situations) {
          const problem = problemIn({ ...contents(rows), columns, rows });
          if (problem !== undefined) wrong.push(`${columns}×${rows} ${problem}`);
        }
    expect(wrong.slice(0, 5)).toEqual([]);
  });
});

/** What a screen can have to show. */
const situations = [0, 3, 300].flatMap((tasks) =>
  [undefined, 1, 500].flatMap((questionLines) =>
    [
      { answerLines: 1, isBoxed: true },
      { answerLines: 1, isBoxed: true, optionLines: 40 },
      { answerLines: 200, isBoxed: true },
      { answerLines: 3, isBoxed: false, hasKeys: true, isCard: true },
      { answerLines: 1, isBoxed: true, optionLines: 3, isLeft: true },
    ].flatMap((answer) =>
      [0, 6].map((remarks) => (rows: number) => ({
        tasks,
        questionLines,
        ...answer,
        remarkLines: Math.min(remarks, mostRemarks(rows)),
      })),
    ),
  ),
);

function problemIn(contents: Contents): string | undefined {
  const layout = layOut(contents);
  const { tasksWidth, outputWidth, besideWidth, bodyRows, listRows, factsRows, eventRows } = layout;
  const { questionRows, optionRows, answerRows } = layout;
  const { columns, rows, questionLines, remarkLines } = contents;
  const isBoxed = contents.isBoxed && !layout.isFolded && hasBorder(contents);
  const sizes = [tasksWidth, outputWidth, bodyRows, listRows];
  if (sizes.some((size) => size < 1) || besideWidth < 0 || factsRows < 0) return 'has no room for a part';
  const belowList = [factsRows, eventRows].reduce((sum, each) => sum + (each > 0 ? each + 1 : 0), 0);
  if (listRows + belowList !== bodyRows) return 'has another left column';
  if (questionLines !== undefined && (questionRows < 1 || answerRows < 1)) return 'hides the question';
  if (questionLines !== undefined && contents.optionLines && !layout.isFolded && optionRows < 1)
    return 'hides the options';
  const width = tasksWidth + 1 + outputWidth + (besideWidth > 0 ? 1 + besideWidth : 0);
  if (layout.isNarrow ? tasksWidth !== columns : width !== columns) return 'is not filled across';
  // Header, hints, and the rule above the panes.
  const free = rows - 3 - remarkLines;
  const { keyRows, underRows } = layout;
  const under = keyRows + (underRows > 0 ? underRows + 1 : 0);
  const box =
    questionRows + optionRows + answerRows + (questionLines !== undefined && isBoxed ? 2 : 0) + under;
  if (besideWidth === 0 && under > 0) return 'has something below a question that has no column';
  if (layout.isNarrow) return bodyRows === free && box <= free ? undefined : 'is not filled';
  if (besideWidth > 0) return bodyRows + 1 === free && box <= bodyRows ? undefined : 'is not filled beside';
  return bodyRows + 1 + box === free ? undefined : 'is not filled down';
}

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
