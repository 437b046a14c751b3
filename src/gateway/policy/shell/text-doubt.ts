import { MAX_OPENED_UNITS, MAX_TEXT_UNITS } from './shell-limits.ts';

/* oxlint-disable no-control-regex -- control characters are what this is about */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
/** What separates words for an eye, and not for a shell. */
const oddBlanks = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
/** What the parser may have to read again for each one that is around it. */
const opening = /`|\$\(|\$\{|\$\[|[<>]\(|<<|\(\(/g;

/** Why a text is not even parsed; `undefined` where it can be. Takes time that grows with the text. */
export function textDoubt(text: string): string | undefined {
  if (text.length > MAX_TEXT_UNITS) return `it has more than ${MAX_TEXT_UNITS} characters`;
  if (controls.test(text)) return 'it has a control character';
  if (oddBlanks.test(text)) return 'it has blanks that a shell does not take for blanks';
  if (!text.isWellFormed()) return 'it has half a character';
  // The parser calls itself for each.
  if (/\bcoproc\b/.test(text)) return 'it starts a coprocess';
  const opened = text.match(opening)?.length ?? 0;
  if (opened * text.length > MAX_OPENED_UNITS) return 'it has too many substitutions for its length';
  return undefined;
}

/** A line that is continued within an operator or an expansion: `$\` and then `x`, `&\` and then `&`. */
const cutOperator = /[^\s\w./'"=:,@%+-]\\\n\S|\S\\\n[^\s\w./'"=:,@%+$\\-]/;

/** Why a text that is parsed may be read otherwise by a shell than by the parser. */
export function lineDoubt(text: string): string | undefined {
  return cutOperator.test(text) ? 'a line ends within an operator' : undefined;
}
