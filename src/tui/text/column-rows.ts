import { cellsOf } from '../../lib/text/cells.ts';
import { blanks, rowStart, type RowStart } from './row-start.ts';

/** Stands between two columns. */
export const BETWEEN_COLUMNS = { text: ' │ ', style: 'dim' } as const;
const BETWEEN = 3;
/** The rule between two rows, where it crosses what is between columns, and elsewhere. */
const CROSSING = '─┼─';
const RULE = '─';
/** A column that would be narrower, in cells, holds no word. */
const LEAST = 6;

/** A part of a line: `column` counts from 0. */
type InColumn = { readonly text: string; readonly column?: number };

/** A line of which some parts stand in columns: see `SpanLine`. */
type ColumnLine<Span> = {
  readonly spans: readonly Span[];
  readonly indent?: number;
  readonly marks?: string;
  readonly isBelow?: boolean;
};

/** What stands where a cell has nothing. */
type Filling = typeof BETWEEN_COLUMNS | RowStart;

/**
 * The rows of a line whose spans stand in columns, each column fitted by itself. What is in front of the first one stands before
 * the first row, and its marks before the others. Where a row of its table needs several, a rule is between it and the one above:
 * what goes on below itself is no row of its own.
 *
 * @param widths - Of the columns, in cells, where there is room.
 * @param fit - The rows of a cell.
 * @returns `undefined` where there is no room for columns.
 */
export function columnRows<Span extends InColumn>(
  { spans, indent = 0, marks, isBelow = false }: ColumnLine<Span>,
  widths: readonly number[],
  width: number,
  fit: (cell: readonly Span[], width: number) => Span[][],
): (Span | Filling)[][] | undefined {
  const first = spans.findIndex(({ column }) => column !== undefined);
  const before = spans.slice(0, Math.max(0, first));
  const hang = indent + widthOf(before);
  const fitted = fittedWidths(widths, width - hang - BETWEEN * (widths.length - 1));
  if (!fitted) return undefined;
  const cells = fitted.map((room, at) =>
    fit(
      spans.filter(({ column }) => column === at),
      room,
    ),
  );
  const height = Math.max(...cells.map(({ length }) => length));
  const all = Array.from({ length: height }, (_, row) => [
    ...(row === 0 ? [...blanks(indent), ...before] : rowStart(hang, marks)),
    ...cells.flatMap((rows, at) => {
      const cell = rows[row] ?? [];
      if (at === cells.length - 1) return cell;
      return [...cell, ...blanks((fitted[at] ?? 0) - widthOf(cell)), BETWEEN_COLUMNS];
    }),
  ]);
  const hasRule = isBelow && fitted.some((room, at) => room < (widths[at] ?? 0));
  return hasRule ? [ruleRow(fitted, rowStart(hang, marks)), ...all] : all;
}

/**
 * Between two rows of a table: a rule below columns of these widths.
 *
 * @param start - Stands before it.
 */
export function ruleRow(widths: readonly number[], start: readonly RowStart[]): RowStart[] {
  return [...start, { text: widths.map((cells) => RULE.repeat(cells)).join(CROSSING), style: 'dim' }];
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
