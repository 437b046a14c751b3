import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const printableAscii = /^[\x20-\x7e]*$/;

/** The characters of a text as a reader counts them: an emoji family is one. */
export function graphemesOf(text: string): string[] {
  if (printableAscii.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many terminal cells a line takes. */
export function cellsOf(line: string): number {
  return printableAscii.test(line) ? line.length : stringWidth(line);
}

/** The line, cut with `…` when it takes more than `width` cells. */
export function fit(line: string, width: number): string {
  if (cellsOf(line) <= width) return line;
  if (width < 1) return '';
  return `${takeCells(graphemesOf(line), width - 1).join('')}…`;
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
  const rows: string[] = [];
  let rest = graphemesOf(line);
  while (rest.length > 0) {
    const taken = takeCells(rest, width);
    // A character wider than the line gets one to itself.
    let end = Math.max(1, taken.length);
    if (end < rest.length && rest[end] !== ' ') {
      const blank = taken.lastIndexOf(' ');
      const isIndent = taken.slice(0, blank + 1).every((character) => character === ' ');
      if (blank > 0 && !isIndent) end = blank;
    }
    rows.push(rest.slice(0, end).join('').trimEnd());
    while (rest[end] === ' ') end += 1;
    rest = rest.slice(end);
  }
  return rows;
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
