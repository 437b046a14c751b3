import { showHeaped, showHidden } from '../text/hidden-characters.ts';

/** A JSON value in lines, for people who read or change it: what nobody would see is written out. Read again, it is the same value. */
export function shownJson(value: unknown): string {
  return showHeaped(showHidden(JSON.stringify(value, null, 2)));
}
