import type { Token } from 'markdown-it';
import { cellsOf } from '../../lib/text/cells.ts';
import { BETWEEN_COLUMNS } from './column-rows.ts';
import { inlineLines } from './markdown-inline.ts';
import type { Span, SpanLine } from './spans.ts';

/** The rows of a table, in columns. */
export function tableLines(
  tokens: readonly Token[],
): Required<Pick<SpanLine, 'spans' | 'columns' | 'isBelow'>>[] {
  const rows: Span[][][] = [];
  let style: Span['style'] = 'plain';
  for (const { type, children } of tokens) {
    if (type === 'tr_open') rows.push([]);
    else if (type === 'th_open') style = 'bold';
    else if (type === 'td_open') style = 'plain';
    else if (type === 'inline') rows.at(-1)?.push(inlineLines(children ?? [], style).flat());
  }
  const columns = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.reduce((cells, { text }) => cells + cellsOf(text), 0) ?? 0)),
  );
  return rows.map((row, at) => ({
    columns,
    isBelow: at > 0,
    spans: row.flatMap((cell, column) => [
      ...(column === 0 ? [] : [BETWEEN_COLUMNS]),
      // One that is empty has its place, too.
      ...(cell.length > 0 ? cell : [{ text: '', style: 'plain' } as const]).map((span) => ({
        ...span,
        column,
      })),
    ]),
  }));
}
