/** What stands before a row. */
export type RowStart = { readonly text: string; readonly style: 'plain' | 'dim' };

/** So many cells that stay free. */
export function blanks(cells: number): RowStart[] {
  return cells > 0 ? [{ text: ' '.repeat(cells), style: 'plain' }] : [];
}

/**
 * The same with what stands there of the blocks that a row belongs to.
 *
 * @param marks - Of one cell each; those that stand furthest in are left out first.
 */
export function rowStart(cells: number, marks = ''): RowStart[] {
  if (cells <= 0 || marks.trim() === '') return blanks(cells);
  return [{ text: marks.padStart(cells).slice(0, cells), style: 'dim' }];
}
