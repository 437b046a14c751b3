import { cellsOf } from '../../lib/text/cells.ts';

/** Stands between two columns. */
export const BETWEEN_COLUMNS = { text: ' │ ', style: 'dim' } as const;
const BETWEEN = 3;
/** A column that would be narrower, in cells, holds no word. */
const LEAST = 6;

/** A part of a line: `column` counts from 0. */
type InColumn = { readonly text: string; readonly column?: number };

/** What stands where a cell has nothing. */
type Filling = typeof BETWEEN_COLUMNS | { readonly text: string; readonly style: 'plain' };

/**
 * The rows of a line whose spans stand in columns, each column fitted by itself. What is in front of the first one stands before
 * the first row, and its place stays free.
 *
 * @param widths - Of the columns, in cells, where there is room.
 * @param fit - The rows of a cell.
 * @returns `undefined` where there is no room for columns.
 */
export function columnRows<Span extends InColumn>(
  spans: readonly Span[],
  widths: readonly number[],
  width: number,
  fit: (cell: readonly Span[], width: number) => Span[][],
): (Span | Filling)[][] | undefined {
  const first = spans.findIndex(({ column }) => column !== undefined);
  const before = spans.slice(0, Math.max(0, first));
  const hang = widthOf(before);
  const fitted = fittedWidths(widths, width - hang - BETWEEN * (widths.length - 1));
  if (!fitted) return undefined;
  const cells = fitted.map((room, at) =>
    fit(
      spans.filter(({ column }) => column === at),
      room,
    ),
  );
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => [
    ...(row === 0 ? before : blanks(hang)),
    ...cells.flatMap((rows, at) => {
      const cell = rows[row] ?? [];
      if (at === cells.length - 1) return cell;
      return [...cell, ...blanks((fitted[at] ?? 0) - widthOf(cell)), BETWEEN_COLUMNS];
    }),
  ]);
}

/** Where there is not room for all, the widest share what the others leave. */
function fittedWidths(widths: readonly number[], room: number): number[] | undefined {
  let left = room;
  let most = Infinity;
  const narrowFirst = widths.toSorted((a, b) => a - b);
  for (const [at, wanted] of narrowFirst.entries()) {
    most = Math.floor(left / (widths.length - at));
    if (wanted > most) break;
    left -= wanted;
    most = Infinity;
  }
  return most < LEAST ? undefined : widths.map((wanted) => Math.min(wanted, most));
}

function widthOf(spans: readonly InColumn[]): number {
  return spans.reduce((cells, { text }) => cells + cellsOf(text), 0);
}

function blanks(count: number): Filling[] {
  return count > 0 ? [{ text: ' '.repeat(count), style: 'plain' }] : [];
}
