import { cellsOf, graphemesOf } from '../../lib/text/cells.ts';
import type { OwnStyle } from '../../lib/text/own-style.ts';
import { columnRows, ruleRow } from './column-rows.ts';
import { rowStart } from './row-start.ts';

/** Some characters of a line that look alike. */
export type Span = {
  readonly text: string;
  readonly style: Style;
  /** How the program that wrote them wants them to look. */
  readonly own?: OwnStyle | undefined;
  /** The column that it stands in, from 0, of a line that has columns. */
  readonly column?: number;
};

/** What is meant by a look. */
export type Style =
  | 'plain'
  | 'dim'
  | 'bold'
  | 'italic'
  | 'heading'
  | 'code'
  | 'name'
  | 'text'
  | 'literal'
  | 'lit'
  | 'added'
  | 'removed'
  | 'added line'
  | 'removed line'
  | 'added word'
  | 'removed word'
  | 'warning'
  | 'danger'
  | 'chosen';

/** A line before it is fitted to a width. */
export type SpanLine = {
  readonly spans: readonly Span[];
  /** Cells in front of it that stay free. */
  readonly indent?: number;
  /** Cells in front of what does not fit into its first row, without the mark. Default: as in front of the first. */
  readonly hang?: number;
  /** What stands in the cells before those rows: the bars of quotations. Default: blanks. */
  readonly marks?: string;
  /** It goes on with the line before: its first row has the mark, too. */
  readonly isContinued?: boolean;
  /**
   * Rows end between words where they can, and blanks there are left out. `words`: it is for reading, rows have no mark; not for
   * what a person decides about. `marked words`: rows that go on have the mark; for sentences, not for arguments, where each blank
   * counts. `anywhere`: no word is kept whole, where no more than one row is shown.
   */
  readonly breaks?: 'words' | 'marked words' | 'anywhere';
  /** How wide its columns are where there is room, in cells. */
  readonly columns?: readonly number[];
  /** It is not the first row of its table: where one of them needs several rows, a rule is between them. */
  readonly isBelow?: boolean;
  /** Its rows are as wide as there is room, in this style. */
  readonly fill?: Style | undefined;
};

/** Stands before the rows that go on with the line above, so that no text can pass for a line of its own. */
const MARK: Span = { text: '↪ ', style: 'dim' };
const MARK_WIDTH = 2;

/**
 * The rows of a line that fit into `width` cells. Nothing is left out, no blank either: rows that go on are marked. A word stays
 * whole where a row has room for it, and the one before is left half empty at most; so does a part of a path. Its text has to be
 * clean, without newlines.
 */
export function rowsOf(line: SpanLine, width: number): Span[][] {
  const inColumns = line.columns && columnRows(line, line.columns, width, fitCell);
  if (inColumns) return inColumns;
  const isSaid = line.breaks === 'words' || line.breaks === 'marked words';
  const rows = isSaid ? wordRows(line, width) : brokenRows(line, width);
  const { fill, hang = 0, marks } = line;
  // No columns would fit: a rule of one that does.
  if (line.isBelow) {
    const free = Math.min(hang, Math.floor(width / 2));
    return [ruleRow([width - free], rowStart(free, marks)), ...rows];
  }
  return fill === undefined || width === Infinity ? rows : rows.map((row) => filled(row, width, fill));
}

function fitCell(spans: readonly Span[], width: number): Span[][] {
  return rowsOf({ spans, breaks: 'words' }, width);
}

function filled(row: readonly Span[], width: number, style: Style): Span[] {
  const room = width - row.reduce((sum, { text }) => sum + cellsOf(text), 0);
  return room > 0 ? [...row, { text: ' '.repeat(room), style }] : [...row];
}

function brokenRows(line: SpanLine, width: number): Span[][] {
  const keepsWords = line.breaks !== 'anywhere';
  // However deep it is indented, half of the width is for the text.
  const most = Math.floor(width / 2);
  const indent = Math.min(line.indent ?? 0, most);
  const hang = Math.min(line.hang ?? indent, most);
  const first = { start: rowStart(indent), room: width - indent };
  const next = { start: [...rowStart(hang, line.marks), MARK], room: width - hang - MARK_WIDTH };
  let { start, room } = line.isContinued ? next : first;
  let row = [...start];
  const rows = [row];
  let isEmpty = true;
  let isBehindBlank = false;
  for (const span of line.spans) {
    let taken = '';
    const take = () => {
      if (taken !== '') row.push({ ...span, text: taken });
      taken = '';
    };
    const open = () => {
      take();
      ({ start, room } = next);
      row = [...start];
      rows.push(row);
    };
    const isBetter = (text: string) => room <= next.room / 2 && isTooWide(text, room, next.room);
    for (const word of span.text.split(BEFORE_WORD)) {
      if (keepsWords && isBehindBlank && isBetter(word)) open();
      for (const [at, part] of (keepsWords && !fits(word, room) ? partsOf(word) : [word]).entries()) {
        if (at > 0 && isBetter(part)) open();
        for (const grapheme of graphemesOf(part)) {
          const cells = cellsOf(grapheme);
          if (cells > room && !isEmpty) open();
          taken += grapheme;
          room -= cells;
          isEmpty = false;
        }
      }
      isBehindBlank = /\s$/.test(word);
    }
    take();
  }
  return rows;
}

const BEFORE_WORD = /(?<=\s)(?=\S)/;

/** So short that it does for sure: no character takes more cells. */
function fits(word: string, room: number): boolean {
  return word.length * 2 <= room;
}

/** A word that does not fit here, and does in a row of its own. */
function isTooWide(word: string, room: number, most: number): boolean {
  if (fits(word, room)) return false;
  const cells = cellsOf(word.trimEnd());
  return cells > room && cells <= most;
}

/** Behind these a word that is longer than a row is broken: a path, an address, a long name. A dot may begin a part of a path. */
const IN_WORD = /(?<=[-/\\_.,:;&=?])(?<!\/\.)/;

/** Where a long word may be broken. What stands behind the `#` of an address, its token for one, is one part. */
function partsOf(word: string): string[] {
  const scheme = word.indexOf('://');
  const fragment = scheme === -1 ? -1 : word.indexOf('#', scheme);
  if (fragment === -1) return word.split(IN_WORD);
  return [...word.slice(0, fragment).split(IN_WORD), word.slice(fragment)];
}

/** A number and its unit are one word. */
const BETWEEN_WORDS = /(?<=\s)(?=\S)(?!(?<=\d )(?:ms|s|m|min|h|d)\b)/;

/** The same between words: they stay whole where a row has room for them, and blanks where a row ends are left out. */
function wordRows(
  { spans, indent = 0, hang = indent, marks, breaks, isContinued = false }: SpanLine,
  width: number,
): Span[][] {
  const most = Math.floor(width / 2);
  const isMarked = breaks === 'marked words';
  const next = {
    start: [...rowStart(Math.min(hang, most), marks), ...(isMarked ? [MARK] : [])],
    room: width - Math.min(hang, most) - (isMarked ? MARK_WIDTH : 0),
  };
  const first = { start: rowStart(Math.min(indent, most)), room: width - Math.min(indent, most) };
  let { start, room } = isContinued ? next : first;
  const rows: Span[][] = [[...start]];
  let isEmpty = true;
  const open = () => {
    ({ start, room } = next);
    rows.push([...start]);
    isEmpty = true;
  };
  const put = (text: string, span: Span) => {
    const last = rows.at(-1)?.at(-1);
    const isAlike = last?.style === span.style && last.own === span.own;
    if (isAlike && !isEmpty) rows.at(-1)?.splice(-1, 1, { ...last, text: last.text + text });
    else rows.at(-1)?.push({ ...span, text });
    room -= cellsOf(text);
    isEmpty = false;
  };
  for (const word of wordsOf(spans)) {
    // The blanks behind it need no room.
    const cells = cellsOf(
      word
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    );
    const isLong = cells > next.room;
    if (cells > room && !isEmpty && !isLong) open();
    for (const piece of word) {
      if (cellsOf(piece.text) <= room) {
        put(piece.text, piece);
        continue;
      }
      const text = piece.text.trimEnd();
      for (const part of isLong ? partsOf(text) : [text]) {
        if (cellsOf(part) > room && !isEmpty) open();
        for (const grapheme of graphemesOf(part)) {
          if (cellsOf(grapheme) > room && !isEmpty) open();
          put(grapheme, piece);
        }
      }
      const blank = piece.text.slice(text.length);
      if (cellsOf(blank) <= room) put(blank, piece);
      else room = 0;
    }
  }
  return rows;
}

/** The words of a line, with the blanks behind them: one may go on in another style, as a name does with its full stop. */
function wordsOf(spans: readonly Span[]): Span[][] {
  const words: Span[][] = [];
  let goesOn = false;
  for (const span of spans)
    for (const text of span.text.split(BETWEEN_WORDS)) {
      const piece = { ...span, text };
      if (goesOn && !/^\s/.test(text)) words.at(-1)?.push(piece);
      else words.push([piece]);
      goesOn = !/\s$/.test(text);
    }
  return words;
}
