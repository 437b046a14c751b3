import { withoutReturns, showHeaped, showHidden } from './hidden-characters.ts';
import { withoutTabs } from './sanitise.ts';

/** Text of others, safe to print: what could move the cursor, hide or reorder text becomes visible. Newlines stay. */
export function visible(text: string): string {
  return showHeaped(withoutTabs(showHidden(withoutReturns(text))));
}

/** The same on one line: every run of white space is one space, but for a lone carriage return, which hides what it stands behind. */
export function visibleLine(text: string): string {
  return visible(withoutReturns(text.trim()).replaceAll(/[^\S\r]+/g, ' '));
}
