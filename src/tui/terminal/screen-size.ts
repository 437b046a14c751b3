type Size = { readonly columns: number; readonly rows: number };

/** The size that a screen is measured and drawn for, in cells and rows: never one that nothing can be measured in. */
export type ScreenSize = Size & {
  /** The terminal is too small to show what keys would do: they are ignored, and nothing that was measured is drawn. */
  readonly isTooSmall: boolean;
  /** What the terminal has. */
  readonly terminal: Size;
};

const SMALLEST: Size = { columns: 40, rows: 10 };

/** What a screen is measured for on a terminal of this size. */
export function screenSize(terminal: Size): ScreenSize {
  return {
    columns: Math.max(SMALLEST.columns, terminal.columns),
    rows: Math.max(SMALLEST.rows, terminal.rows),
    isTooSmall: terminal.columns < SMALLEST.columns || terminal.rows < SMALLEST.rows,
    terminal,
  };
}
