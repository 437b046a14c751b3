import { cellsOf, fit } from '../../lib/text/cells.ts';
import { decidedParts } from '../../views/events/decided-text.ts';
import type { Decision } from '../../views/events/decisions.ts';
import { clamp } from './clamp.ts';

/** So much of what was asked is left in sight, in cells, however long the answer is. */
const LEAST_ASKED = 12;

/** Cells behind a first word that is followed by `…`. */
const CUT = ' …'.length;

/**
 * What was decided about a request, in one row: `form: Which database? → SQLite (maria)`. Of a call its tool stays
 * in sight, its first word, where that leaves half of the room for the answer.
 */
export function decidedLine(decision: Decision, width: number): string {
  const { about, said, who } = decidedParts(decision);
  const by = ` (${who})`;
  const room = width - cellsOf(ARROW + by);
  const task = about.slice(0, about.length - decision.asked.length);
  const named = cellsOf(task + firstWord(decision.asked)) + CUT;
  const least = clamp(named, LEAST_ASKED, Math.floor(room / 2));
  const askedWidth = Math.min(cellsOf(about), Math.max(least, room - cellsOf(said)));
  return fit(`${fit(about, askedWidth)}${ARROW}${fit(said, Math.max(1, room - askedWidth))}${by}`, width);
}

const ARROW = ' → ';

function firstWord(text: string): string {
  const [first = ''] = text.split(' ', 1);
  return first;
}
