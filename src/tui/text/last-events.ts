import { cellsOf } from '../../lib/text/cells.ts';
import type { PaneLine } from '../panes/pane.ts';
import { cutRow, lineBelow } from './pane-window.ts';
import { rowsOf, type Span } from './spans.ts';

/** Cells by which a second row begins behind the first: without colours it would look like another event. */
const DEEPER = 2;

/** Rows of one event: what is longer is cut. */
const MOST_ROWS = 2;

/**
 * The newest lines of a history that fit, the last at the end: what one says goes on in a second row, a little deeper than its title.
 *
 * @param before - Spans of a line that stand before that: when it was, and of which task.
 */
export function lastEvents(
  lines: readonly PaneLine[],
  { before, width, height }: { readonly before: number; readonly width: number; readonly height: number },
): readonly (readonly Span[])[] {
  const rowsFor = (line: PaneLine, above: PaneLine | undefined, most: number) => {
    const shown = lineBelow(line, above);
    const hang = shown.spans.slice(0, before).reduce((sum, { text }) => sum + cellsOf(text), DEEPER);
    const rows = rowsOf({ ...shown, breaks: 'words', hang }, width);
    const kept = rows.slice(0, most);
    const last = kept.pop();
    return rows.length > most && last ? [...kept, cutRow(trimmed(last), width)] : rows;
  };
  let first = lines.length;
  let used = 0;
  for (const line of lines.slice(-height).toReversed()) {
    const rows = rowsFor(line, undefined, MOST_ROWS).length;
    if (used >= height) break;
    used += rows;
    first -= 1;
  }
  const isOver = used > height;
  return lines
    .slice(first)
    .flatMap((line, at, shown) => rowsFor(line, shown[at - 1], isOver && at === 0 ? 1 : MOST_ROWS));
}

/** Without the blanks at its end. */
function trimmed(row: readonly Span[]): Span[] {
  return row.map((span, at) => (at === row.length - 1 ? { ...span, text: span.text.trimEnd() } : span));
}
