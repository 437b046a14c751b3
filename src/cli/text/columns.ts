import { cellsOf } from '../../lib/text/cells.ts';

/** Rows of cells as lines, the columns aligned and two blanks apart. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cellsOf(cell));
  }
  const pad = (cell: string, index: number) => cell + ' '.repeat((widths[index] ?? 0) - cellsOf(cell));
  return rows.map((row) => row.map(pad).join('  ').trimEnd());
}
