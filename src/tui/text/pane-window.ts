import { cellsOf, fit } from '../../lib/text/cells.ts';
import { followsEnd, hasCursor, type PaneKind, type PaneLine } from '../panes/pane.ts';
import { rowsOf, type Span, type SpanLine } from './spans.ts';
import { clamp } from './clamp.ts';

/** The part of a pane that is on the screen. */
export type PaneWindow = {
  readonly rows: readonly WindowRow[];
  /** Lines in front of the first that is shown whole, and behind the last: one that is seen in part is among them. */
  readonly above: number;
  readonly newer: number;
  /** The line that stands first when the last one is in sight. */
  readonly lastTop: number;
};

/** A row of it. */
export type WindowRow = { readonly spans: readonly Span[]; readonly isPicked: boolean };

type WindowSize = {
  readonly width: number;
  readonly height: number;
  /** Number of the line that was gone to; a list has a cursor for that. */
  readonly picked?: number | undefined;
};

/**
 * The rows of a pane that fit, as far as they are seen: no other line is broken into rows.
 *
 * @param place - Number of a line: in a text the first that is shown, in a list that of the cursor, in a log the one behind
 *   the last that is shown. `undefined`: where it begins; of what is followed, the end.
 */
export function paneWindow(
  lines: readonly PaneLine[],
  { kind, place, ...size }: WindowSize & { readonly kind: PaneKind; readonly place: number | undefined },
): PaneWindow {
  const lastTop = firstOfLast(lines, lines.length, size).first;
  if (kind === 'log') return logWindow(lines, place, size, lastTop);
  if (hasCursor(kind)) return listWindow(lines, cursorAt(lines, kind, place), size, lastTop);
  return textWindow(lines, Math.min(firstOfText(lines, place, size.height), lastTop), size, lastTop);
}

/** Index of the first line with this number or a later one; how many there are, where none has. */
export function indexAt(lines: readonly PaneLine[], place: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.at ?? Infinity) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first line that the cursor of a list may stand on; of a list that has none, how many lines there are. */
export function firstStop(lines: readonly PaneLine[]): number {
  return lines[0]?.isHeading === true ? 1 : 0;
}

/** Index of the first line that is shown of a text which was left at `place`: where it begins, if what it is about is in sight then. */
export function firstOfText(lines: readonly PaneLine[], place: number | undefined, height: number): number {
  if (place !== undefined) return indexAt(lines, place);
  const current = lines.findIndex(({ isCurrent }) => isCurrent === true);
  return current < height - 1 ? 0 : current - (height >> 1);
}

/** Index of the line that the cursor of a list stands on, which was left at `place`; -1: it has none. */
export function cursorAt(lines: readonly PaneLine[], kind: PaneKind, place: number | undefined): number {
  const first = firstStop(lines);
  if (lines.length <= first) return -1;
  const at = place === undefined ? (followsEnd(kind) ? lines.length : 0) : indexAt(lines, place);
  return clamp(at, first, lines.length - 1);
}

function textWindow(
  lines: readonly PaneLine[],
  first: number,
  size: WindowSize,
  lastTop: number,
): PaneWindow {
  const { height } = size;
  const rows: WindowRow[] = [];
  let at = first;
  for (; at < lines.length && rows.length < height; at += 1) rows.push(...rowsAt(lines, at, size));
  // Of the last line the end may be out of sight.
  const shown = rows.length > height ? at - 1 : at;
  return { rows: rows.slice(0, height), above: first, newer: Math.max(0, lines.length - shown), lastTop };
}

function logWindow(
  lines: readonly PaneLine[],
  place: number | undefined,
  size: WindowSize,
  lastTop: number,
): PaneWindow {
  const end = place === undefined ? lines.length : indexAt(lines, place);
  const { rows, first, isWhole } = firstOfLast(lines, end, size);
  return { rows, above: isWhole ? first : Math.max(1, first), newer: lines.length - end, lastTop };
}

/** One row for each line: the cursor stays in the middle where it can. */
function listWindow(
  lines: readonly PaneLine[],
  picked: number,
  { width, height }: WindowSize,
  lastTop: number,
): PaneWindow {
  const first = clamp(picked - (height >> 1), 0, lines.length - height);
  const rows = lines.slice(first, first + height).flatMap((line, at, shown) => {
    const isPicked = first + at === picked;
    const [spans, more] = rowsOf(
      { breaks: 'anywhere', ...lineBelow(line, isPicked ? undefined : shown[at - 1]) },
      width,
    );
    return spans ? [{ spans: more ? cutRow(spans, width) : spans, isPicked }] : [];
  });
  return { rows, above: first, newer: Math.max(0, lines.length - first - height), lastTop };
}

/** A line of a list, as it is read below another one that is in sight: a time that it shares with that is not said again. */
export function lineBelow({ line, time }: PaneLine, above: PaneLine | undefined): SpanLine {
  const [first, ...others] = line.spans;
  if (!first || time === undefined || time !== above?.time) return line;
  return { ...line, spans: [{ ...first, text: ' '.repeat(cellsOf(time)) }, ...others] };
}

/** Says that there is more of it. */
export function cutRow(spans: readonly Span[], width: number): Span[] {
  const last = spans.at(-1);
  if (!last) return [];
  const before = spans.slice(0, -1);
  const room = width - before.reduce((sum, { text }) => sum + cellsOf(text), 0);
  return [...before, { ...last, text: fit(`${last.text}…`, room) }];
}

/** The last rows that end with the line before `end`, and the index of the line that the first of them is of. */
function firstOfLast(lines: readonly PaneLine[], end: number, size: WindowSize) {
  const { height } = size;
  const rows: WindowRow[] = [];
  let first = end;
  while (first > 0 && rows.length < height) {
    const more = rowsAt(lines, first - 1, size);
    // In a text a line is not begun that would not be seen whole, in a log its end is what matters.
    rows.unshift(...more);
    first -= 1;
  }
  const isWhole = rows.length <= height;
  const firstWhole = isWhole ? first : Math.min(first + 1, Math.max(0, end - 1));
  return { rows: rows.slice(-height), first: firstWhole, isWhole };
}

function rowsAt(lines: readonly PaneLine[], at: number, { width, picked }: WindowSize): WindowRow[] {
  const line = lines[at];
  return line ? rowsOf(line.line, width).map((spans) => ({ spans, isPicked: line.at === picked })) : [];
}
