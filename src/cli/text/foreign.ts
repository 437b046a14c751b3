import { cellsOf, graphemesOf, wrap } from '../../lib/text/cells.ts';
import { visible } from '../../lib/text/visible.ts';
import { columnsOf } from './broken-for.ts';
import type { Page } from './paragraph.ts';

/** Stands before what goes on with the row above. */
const MARK = '↪ ';

/**
 * A line with words of others in it: a terminal would break it at its edge, and go on where our own lines begin. There it is
 * rows that a terminal need not break, those that go on with the row above marked. Nothing is left out, breaks are made
 * between any two characters. A pipe or a file gets it as it is.
 *
 * @param line - Without newlines, safe to print.
 * @param indent - Cells in front of each row.
 * @param inset - Cells that will stand in front of them besides.
 */
export function foreignLine(page: Page, line: string, { indent = 0, inset = 4 }: Place = {}): string[] {
  const blanks = ' '.repeat(indent);
  const width = roomOf(page) - inset - indent;
  if (cellsOf(line) <= width) return [blanks + line];
  const rows: string[] = [];
  let [row, room] = ['', width];
  for (const grapheme of graphemesOf(line)) {
    const cells = cellsOf(grapheme);
    if (cells > room && row !== '') {
      rows.push(row);
      [row, room] = [MARK, width - cellsOf(MARK)];
    }
    row += grapheme;
    room -= cells;
  }
  return [...rows, row].map((each) => blanks + each);
}

/**
 * A text of others for a reader: broken between words on a terminal. Only its first row begins where a line of ours would.
 *
 * @param inset - Cells that will stand in front of each row.
 */
export function foreignText(page: Page, text: string, inset = 4): string[] {
  const width = roomOf(page) - inset;
  const [first = '', ...rest] = visible(text).split('\n');
  const [head = '', ...more] = wrap(first, width);
  // What is broken off the first line is broken anew: there is less room.
  const below = [...(more.length === 0 ? [] : [first.slice(head.length).trimStart()]), ...rest];
  return [head, ...below.flatMap((line) => wrap(line, width - 2)).map((line) => `  ${line}`)];
}

type Place = { readonly indent?: number; readonly inset?: number };

function roomOf({ stdout }: Page): number {
  return stdout.isTTY ? columnsOf(stdout) : Infinity;
}
