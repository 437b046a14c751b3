import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { isPlain } from './plain-cells.ts';

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as a reader counts them: an emoji family is one. */
export function graphemesOf(text: string): string[] {
  if (isPlain(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many terminal cells a line takes. */
export function cellsOf(line: string): number {
  return isPlain(line) ? line.length : stringWidth(line);
}

/** The line, cut with `…` when it takes more than `width` cells. */
export function fit(line: string, width: number): string {
  if (cellsOf(line) <= width) return line;
  if (width < 1) return '';
  return `${takeCells(graphemesOf(line), width - 1).join('')}…`;
}

/** The line, cut with `…` at its beginning when it takes more than `width` cells. */
export function fitEnd(line: string, width: number): string {
  if (cellsOf(line) <= width) return line;
  if (width < 1) return '';
  return `…${takeCells(graphemesOf(line).toReversed(), width - 1)
    .toReversed()
    .join('')}`;
}

/** The line, cut with `…` before its last third when it takes more than `width` cells: both of its ends are seen. */
export function fitMiddle(line: string, width: number): string {
  if (cellsOf(line) <= width) return line;
  const end = takeCells(graphemesOf(line).toReversed(), Math.floor(width / 3))
    .toReversed()
    .join('');
  return fit(line, width - cellsOf(end)) + end;
}

/** The line, cut or filled with blanks to exactly `width` cells. */
export function fill(line: string, width: number): string {
  const cut = fit(line, width);
  return cut + ' '.repeat(Math.max(0, width - cellsOf(cut)));
}

/** The lines of a text, broken between words, and inside those that are longer than `width` cells. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => (cellsOf(line) <= width ? [line] : wrapLine(line, width)));
}

function wrapLine(line: string, width: number): string[] {
  const rows = wrapAnsi(line, Math.max(1, width), { hard: true, trim: false }).split('\n');
  const [first = '', ...rest] = rows.map((row) => row.trimEnd());
  // The indent of a line stays; blanks where it was broken go.
  return [first, ...rest.map((row) => row.trimStart()).filter((row) => row !== '')];
}

function takeCells(graphemes: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let cells = 0;
  for (const grapheme of graphemes) {
    cells += cellsOf(grapheme);
    if (cells > width) break;
    taken.push(grapheme);
  }
  return taken;
}
