/** Sizes of everything on the screen, in cells and rows. */
export type Layout = {
  readonly columns: number;
  readonly rows: number;
  /** Too small to show what keys would do: they are ignored. */
  readonly isTooSmall: boolean;
  /** One pane at a time. */
  readonly isNarrow: boolean;
  readonly tasksWidth: number;
  readonly outputWidth: number;
  /** Rows of the task list and of the output. */
  readonly bodyRows: number;
  readonly questionRows: number;
  /** Rows of the options, which do not scroll with the question. */
  readonly optionRows: number;
  readonly answerRows: number;
};

/** What has to find its place. */
export type Contents = {
  readonly columns: number;
  readonly rows: number;
  /** Lines of the question as wrapped for this width; `undefined`: none is shown. */
  readonly questionLines: number | undefined;
  readonly answerLines: number;
  /** Lines of the options as wrapped for this width. Default: there are none. */
  readonly optionLines?: number;
  /** The answer stands in a box, of which a part can be shown. Otherwise all its lines have to be. */
  readonly isBoxed: boolean;
  /** Lines below the box: what a number stands for, a warning, a notice. */
  readonly remarkLines: number;
};

const SMALLEST = { columns: 40, rows: 10 };
const NARROW_COLUMNS = 60;
/** Header, rule above the panes, hints. */
const CHROME_ROWS = 3;
/** Above and below the text in a box. */
const BORDER_ROWS = 2;
const BODY_ROWS_KEPT = 5;

/** Divides the screen: the question gets what it needs, the panes what is left and some rows at least. */
export function layOut(contents: Contents): Layout {
  const { columns, rows, questionLines, answerLines, isBoxed, remarkLines, optionLines = 0 } = contents;
  const isNarrow = columns < NARROW_COLUMNS;
  const tasksWidth = isNarrow ? columns : Math.max(28, Math.min(56, Math.floor(columns * 0.4)));
  const size = {
    columns,
    rows,
    isNarrow,
    isTooSmall: columns < SMALLEST.columns || rows < SMALLEST.rows,
    tasksWidth,
    outputWidth: isNarrow ? columns : columns - tasksWidth - 1,
  };
  const free = rows - CHROME_ROWS - remarkLines;
  if (questionLines === undefined)
    return { ...size, bodyRows: free - (isNarrow ? 0 : 1), questionRows: 0, optionRows: 0, answerRows: 0 };

  const answerRows = Math.max(1, isBoxed ? Math.min(answerLines, Math.floor(rows / 6)) : answerLines);
  const below = free - answerRows - (isBoxed ? BORDER_ROWS : 0);
  const optionRows = optionLines === 0 ? 0 : atLeastOne(Math.min(optionLines, Math.floor(below / 2)));
  const room = below - optionRows;
  // A narrow screen shows either the question or the panes, below the same rule.
  if (isNarrow) {
    return {
      ...size,
      bodyRows: free,
      questionRows: atLeastOne(room),
      optionRows,
      answerRows,
    };
  }
  // The rule above the question.
  const rest = room - 1;
  const kept = atLeastOne(Math.min(BODY_ROWS_KEPT, Math.floor(rest / 3)));
  const questionRows = atLeastOne(Math.min(questionLines, rest - kept));
  return { ...size, bodyRows: atLeastOne(rest - questionRows), questionRows, optionRows, answerRows };
}

/** How many remarks a screen of this height has room for. */
export function mostRemarks(rows: number): number {
  return atLeastOne(Math.floor(rows / 4) - 1);
}

function atLeastOne(rows: number): number {
  return Math.max(1, rows);
}
