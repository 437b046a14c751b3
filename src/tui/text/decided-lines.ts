import { cellsOf, fit } from '../../lib/text/cells.ts';
import { decidedParts } from '../../views/events/decided-text.ts';
import type { Decision } from '../../views/events/decisions.ts';

/** So much of what was asked is left in sight, in cells, however long the answer is. */
const LEAST_ASKED = 12;

/** What was decided about a request, in one row: `form: Which database? → SQLite (maria)`. */
export function decidedLine(decision: Decision, width: number): string {
  const { about, said, who } = decidedParts(decision);
  const by = ` (${who})`;
  const room = width - cellsOf(ARROW + by);
  const askedWidth = Math.max(LEAST_ASKED, Math.min(cellsOf(about), room - cellsOf(said)));
  return fit(`${fit(about, askedWidth)}${ARROW}${fit(said, Math.max(1, room - askedWidth))}${by}`, width);
}

const ARROW = ' → ';
