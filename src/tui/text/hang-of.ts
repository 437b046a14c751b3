import { cellsOf } from '../../lib/text/cells.ts';

/** A sign and the blanks around it: of a call or its result, a point or a number of a list, `$`, `>`, `+`, `-`. */
const BEFORE_TEXT = /^\s*(?:(?:[-*+] +\[[ xX]\]|[\p{S}\p{Po}\p{Pd}\u{276F}›]\u{FE0F}?|\d{1,3}[.)])\s+)?/u;

/** Characters that are looked at: deeper text has no sign that is worth the room. */
const LOOKED_AT = 40;

/** Cells before the text of a line that a program wrote, its sign among them: where the rest of it goes on, if it has more than one row. */
export function hangOf(text: string): number {
  const [before = ''] = BEFORE_TEXT.exec(text.slice(0, LOOKED_AT)) ?? [];
  return cellsOf(before);
}
