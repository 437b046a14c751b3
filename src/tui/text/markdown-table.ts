import type { Token } from 'markdown-it';
import { cellsOf } from '../../lib/text/cells.ts';
import { inlineLines } from './markdown-inline.ts';
import type { Span } from './spans.ts';

/** Cells that a column is filled up to, at most. */
const WIDEST = 30;

/** The rows of a table, with their columns below one another as far as these are not too wide. */
export function tableLines(tokens: readonly Token[]): Span[][] {
  const rows: Span[][][] = [];
  let style: Span['style'] = 'plain';
  for (const { type, children } of tokens) {
    if (type === 'tr_open') rows.push([]);
    else if (type === 'th_open') style = 'bold';
    else if (type === 'td_open') style = 'plain';
    else if (type === 'inline') rows.at(-1)?.push(inlineLines(children ?? [], style).flat());
  }
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(WIDEST, Math.max(...rows.map((row) => widthOf(row[column] ?? [])))),
  );
  return rows.map((row) =>
    row.flatMap((cell, column) => filled(cell, widths[column] ?? 0, column === row.length - 1)),
  );
}

function filled(cell: readonly Span[], width: number, isLast: boolean): Span[] {
  if (isLast) return [...cell];
  const blanks = ' '.repeat(Math.max(0, width - widthOf(cell)));
  return [...cell, { text: blanks, style: 'plain' }, { text: ' │ ', style: 'dim' }];
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((cells, { text }) => cells + cellsOf(text), 0);
}
