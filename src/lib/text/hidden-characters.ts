/* oxlint-disable no-control-regex -- control characters are what this file is about */

/**
 * The one set of characters that may not reach a terminal, a model or a file of ours as they are: controls (C0, DEL,
 * C1), what reorders text (bidi), line breaks that are no newline, and what cannot be seen, such as the pattern of braille
 * that has no dot, which is no blank to anybody but the eye.
 */
const SET = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800`;

const hidden = new RegExp(`(?![\\n\\t])[${SET}]`, 'gu');
const hiddenOrBreak = new RegExp(`[${SET}]`, 'gu');
/** Without what joins and selects the pictures of emoji, and the letters of some scripts. */
const hiddenButJoiners = new RegExp(String.raw`(?![\n\t\u200c\u200d\ufe0e\ufe0f])[${SET}]`, 'gu');
/** Nearly all texts are this, which is seen many times as fast. */
const plain = /^[\n\t -~]*$/;
const anyHidden = new RegExp(hidden, 'u');
const anyHiddenButJoiners = new RegExp(hiddenButJoiners, 'u');

const heapedMarks = /(\p{M}{4})(\p{M}+)/gu;

/** Escape sequences: strings (OSC, DCS, SOS, PM, APC) with or without their end, CSI, and the short ones. */
const sequences =
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^]*?(?:\x07|\x1b\\|\x9c|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;

const atSequence = new RegExp(`(${sequences.source})`, 'g');

/** A text, taken apart at its escape sequences: text and sequences in turn, text first. */
export function splitAtSequences(text: string): string[] {
  return text.split(atSequence);
}

/** The text without escape sequences and hidden characters. Newlines and tabs stay; other line breaks become newlines. */
export function withoutHidden(text: string): string {
  if (plain.test(text)) return text;
  if (!anyHidden.test(text)) return text.toWellFormed();
  return newlines(text.replaceAll(sequences, '')).replaceAll(hidden, '').toWellFormed();
}

/** Without hidden characters alone: what an escape sequence would swallow stays. */
export function withoutHiddenCharacters(text: string): string {
  return plain.test(text) ? text : text.replaceAll(hidden, '');
}

/** Without controls alone: newlines and tabs stay, and a lone carriage return is a newline. */
export function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\n\t])\p{Cc}/gu, '');
}

/** Nothing of the text can be seen. */
export function isUnseen(text: string): boolean {
  return withoutHiddenCharacters(text).trim() === '';
}

/** {@link withoutHidden} for what a person pastes: joined emoji stay, too. */
export function withoutHiddenButJoiners(text: string): string {
  return newlines(text.replaceAll(sequences, '')).replaceAll(hiddenButJoiners, '').toWellFormed();
}

/** The text on one line, without escape sequences and hidden characters; at most `maxLength` UTF-16 units and `…`. */
export function cleanLine(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  // Cut first: a text of many megabytes is not to be searched as a whole.
  const line = withoutHidden(text.slice(0, maxLength + 1_000))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= maxLength && text.length <= maxLength + 1_000
    ? line
    : `${line.slice(0, maxLength).toWellFormed()}…`;
}

/**
 * The text with each hidden character written as JSON writes it: `\u001b`. Newlines and tabs stay. A JSON text is the
 * same value afterwards.
 */
export function showHidden(text: string): string {
  return anyHidden.test(text) ? text.toWellFormed().replaceAll(hidden, escaped) : text.toWellFormed();
}

/** The same, but what joins emoji stays: it can neither move a cursor nor reorder text. */
export function showHiddenButJoiners(text: string): string {
  return anyHiddenButJoiners.test(text)
    ? text.toWellFormed().replaceAll(hiddenButJoiners, escaped)
    : text.toWellFormed();
}

/** {@link showHidden} on one line: newlines and tabs are written out, too. */
export function showHiddenOnLine(text: string): string {
  return text.toWellFormed().replaceAll(hiddenOrBreak, escaped);
}

/** At most four marks on one character; more are written as JSON writes them: they would draw over the lines above. */
export function showHeaped(text: string): string {
  return text.replaceAll(heapedMarks, (_, few: string, more: string) => few + unitEscapes(more));
}

/** The same, without those that are more. */
export function withoutHeaped(text: string): string {
  return text.replaceAll(heapedMarks, '$1');
}

/**
 * A carriage return in front of a newline is a part of it. A lone one is no newline where it is to be shown, nor is a Unicode
 * line break: it would write over its line.
 */
export function withoutReturns(text: string): string {
  return text.replaceAll(/(?<!\r)\r+\n/g, '\n');
}

/** A carriage return or a Unicode line break is a newline. */
function newlines(text: string): string {
  return text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n');
}

const shortEscapes = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
]);

function escaped(character: string): string {
  return shortEscapes.get(character) ?? unitEscapes(character);
}

function unitEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}
