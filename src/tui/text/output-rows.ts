import type { TaskOutput } from './agent-output.ts';
import { wrap } from '../../lib/text/cells.ts';

/** The rows of an output pane, and how many lines came after the last of them. */
export type OutputRows = { readonly rows: readonly string[]; readonly newer: number };

/**
 * The last `height` rows that end with line number `end` (the one behind the last, as for a slice).
 * Wraps no more lines than are seen.
 */
export function outputRows(
  { dropped, lines }: TaskOutput,
  { end, width, height }: { end: number | undefined; width: number; height: number },
): OutputRows {
  const stop = end === undefined ? lines.length : Math.max(0, Math.min(end - dropped, lines.length));
  const rows: string[] = [];
  for (let at = stop - 1; at >= 0 && rows.length < height; at -= 1) {
    rows.unshift(...wrap(lines[at] ?? '', width));
  }
  return { rows: rows.slice(-height), newer: lines.length - stop };
}
