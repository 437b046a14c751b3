import { LABELS, TOKEN_BEGINNINGS } from './secret-shapes.ts';

const tokenBeginning = new RegExp(`^(?:${TOKEN_BEGINNINGS})$`);

const PEM_START = '-----BEGIN ';
const pemBeginning = /^-----BEGIN [A-Z0-9 ]*(?:-{0,5}$|(?<=PRIVATE KEY(?: BLOCK)?)-----)/;
const pemEnd = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
/** What a line of prose has: no key has three words in one, but for the headers of OpenPGP. */
const words = /\S[ \t]+\S+[ \t]+\S/;
const header = /^(?:[\s"',>]|\\[rn])*(?:Version|Comment|Hash|Charset|MessageID): /;

/** Name and password of a URL, with what is around them. */
const MAX_CREDENTIALS_LENGTH = 520;

/** A longer word is no token. */
const MAX_TOKEN_LENGTH = 8 * 1024;

/** Where the last word of a text begins that a token may be a part of, and after each dot in it. */
function wordStarts(text: string): number[] {
  const starts: number[] = [];
  const first = Math.max(0, text.length - MAX_TOKEN_LENGTH);
  let at = text.length;
  for (; at > first; at -= 1) {
    const character = text[at - 1] ?? '';
    if (character === '.') starts.push(at);
    else if (!/[A-Za-z0-9_-]/.test(character)) break;
  }
  return [...starts, ...(at > 0 && at === first ? [] : [at])].sort((a, b) => a - b);
}

/** Where a token begins that goes on to the end of the text; its length when there is none. */
export function tokenStart(text: string): number {
  return wordStarts(text).find((at) => tokenBeginning.test(text.slice(at))) ?? text.length;
}

/** What may follow a name that says a secret comes: few words, on the same line. */
const labelledRest = /^\S*(?:[ \t]+\S+){0,3}[ \t]*$/;

/** What such a name may begin with. */
const LABEL_PARTS = new Set(
  LABELS.flatMap((label) => Array.from(label, (_, length) => label.slice(0, length)).slice(1)),
);
const MAX_PART_LENGTH = Math.max(...LABELS.map(({ length }) => length - 1));

/** Where a name begins that says a secret follows, and goes on to the end of the text; its length when there is none. */
export function labelStart(text: string): number {
  const lineStart = text.lastIndexOf('\n') + 1;
  const first = Math.max(lineStart, text.length - MAX_TOKEN_LENGTH);
  const tail = text.slice(first);
  const at = tail === '' ? -1 : Math.max(...LABELS.map((label) => tail.lastIndexOf(label)));
  if (at !== -1 && labelledRest.test(tail.slice(at))) return first + at;
  for (let length = Math.min(tail.length, MAX_PART_LENGTH); length > 0; length -= 1)
    if (LABEL_PARTS.has(tail.slice(-length))) return text.length - length;
  return text.length;
}

/** Where a URL's name and password may begin that go on to the end of the text; its length when there are none. */
export function urlStart(text: string): number {
  const slash = text.lastIndexOf('/');
  if (slash === -1 || text.length - slash > MAX_CREDENTIALS_LENGTH) return text.length;
  if (slash === text.length - 1) return text[slash - 1] === '/' ? slash - 1 : slash;
  return text[slash - 1] !== '/' || /[\s@]/.test(text.slice(slash)) ? text.length : slash - 1;
}

/** Where one of these values begins of which the text has only a part, at its end; its length when there is none. */
export function valueStart(text: string, values: readonly string[]): number {
  let start = text.length;
  for (const value of [...values, PEM_START]) {
    for (let length = Math.min(value.length - 1, text.length); length > text.length - start; length -= 1)
      if (text.endsWith(value.slice(0, length))) start = text.length - length;
  }
  return start;
}

/** A private key that has begun and has no end yet. */
export type OpenKey = {
  readonly start: number;
  /** Where prose begins again: the key was cut off. */
  readonly end: number | undefined;
};

/** The private key that has begun in a text and has no end there. */
export function openKey(text: string): OpenKey | undefined {
  const start = text.lastIndexOf(PEM_START);
  if (start === -1) return undefined;
  const rest = text.slice(start);
  if (!pemBeginning.test(rest) || pemEnd.test(rest)) return undefined;
  const prose = proseStart(rest);
  return { start, end: prose === undefined ? undefined : start + prose };
}

/** Where the first whole line of prose begins behind the first line; `undefined`: there is none. */
function proseStart(text: string): number | undefined {
  let from = text.indexOf('\n') + 1;
  for (let end = text.indexOf('\n', from); from > 0 && end !== -1; end = text.indexOf('\n', from)) {
    const line = text.slice(from, end);
    if (!header.test(line) && words.test(line)) return from;
    from = end + 1;
  }
  return undefined;
}
