import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { graphemesOf } from '../../lib/text/cells.ts';
import { foldOf, isMuch, unfolded, withoutFolds } from './folded-paste.ts';

/**
 * A text being typed. `cursor` is an offset in UTF-16 units, always between two graphemes. Of much that was pasted one character
 * stands in the text: see folded-paste.ts.
 */
export type TextBuffer = {
  readonly text: string;
  readonly cursor: number;
  /** What those characters stand for, in their order of coming. */
  readonly pastes?: readonly string[];
  /** Some of it was pasted: it is words, whatever a number among them names elsewhere. */
  readonly isPasted?: boolean;
  /** The end of what was typed is missing: it did not fit. So it is until something is taken away. */
  readonly isCut?: boolean;
};

export const emptyBuffer: TextBuffer = { text: '', cursor: 0 };

/** The text with `added` at the cursor; unchanged when it would be longer than an answer may be. */
export function insert(buffer: TextBuffer, added: string): TextBuffer {
  const { text, cursor } = buffer;
  const clean = withoutFolds(added);
  if (wholeText(buffer).length + clean.length > MAX_TEXT_LENGTH) return buffer;
  return { ...buffer, ...put(text, cursor, clean) };
}

/** The same with what was typed: of what does not fit it says so. */
export function typeIn(buffer: TextBuffer, typed: string): TextBuffer {
  const next = insert(buffer, typed);
  return next === buffer && typed !== '' ? { ...buffer, isCut: true } : next;
}

/** The same with what was pasted. Of much of it one character stands there, unless `isOpen`. */
export function insertPaste(buffer: TextBuffer, pasted: string, { isOpen = false } = {}): TextBuffer {
  const { text, cursor, pastes = [] } = buffer;
  const clean = withoutFolds(pasted);
  const fold = isOpen || !isMuch(clean) ? undefined : foldOf(pastes.length);
  if (fold === undefined) {
    const open = insert(buffer, clean);
    return open === buffer ? buffer : { ...open, isPasted: true };
  }
  if (wholeText(buffer).length + clean.length > MAX_TEXT_LENGTH) return buffer;
  return { ...put(text, cursor, fold), pastes: [...pastes, clean], isPasted: true };
}

/** All of the text, as it is sent. */
export function wholeText({ text, pastes }: TextBuffer): string {
  return pastes ? unfolded(text, pastes) : text;
}

function put(text: string, cursor: number, added: string) {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Removes the grapheme before the cursor. */
export function backspace(buffer: TextBuffer): TextBuffer {
  return removeTo(buffer, left(buffer).cursor);
}

/** Removes the grapheme after the cursor. */
export function deleteForward(buffer: TextBuffer): TextBuffer {
  return removeTo(buffer, right(buffer).cursor);
}

export function left(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  if (text[cursor - 1] === '\n') return { ...buffer, cursor: cursor - 1 };
  const before = graphemesOf(text.slice(lineStart(text, cursor), cursor)).at(-1) ?? '';
  return { ...buffer, cursor: cursor - before.length };
}

export function right(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  if (text[cursor] === '\n') return { ...buffer, cursor: cursor + 1 };
  const after = graphemesOf(text.slice(cursor, lineEnd(text, cursor)))[0] ?? '';
  return { ...buffer, cursor: cursor + after.length };
}

/** To the start of the line. */
export function home(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  return { ...buffer, cursor: lineStart(text, cursor) };
}

/** To the end of the line. */
export function end(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  return { ...buffer, cursor: lineEnd(text, cursor) };
}

/** To the same place in the line above; from the first line to its start. */
export function up(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  const start = lineStart(text, cursor);
  if (start === 0) return { ...buffer, cursor: 0 };
  return { ...buffer, cursor: sameColumn(text, { from: start, cursor, to: lineStart(text, start - 1) }) };
}

/** To the same place in the line below; from the last line to its end. */
export function down(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  const next = lineEnd(text, cursor) + 1;
  if (next > text.length) return { ...buffer, cursor: text.length };
  return { ...buffer, cursor: sameColumn(text, { from: lineStart(text, cursor), cursor, to: next }) };
}

/** Before the word on the left. */
export function wordLeft(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  const [word = ''] = /\S*\s*$/.exec(text.slice(0, cursor)) ?? [];
  return { ...buffer, cursor: cursor - word.length };
}

/** Behind the word on the right. */
export function wordRight(buffer: TextBuffer): TextBuffer {
  const { text, cursor } = buffer;
  const [word = ''] = /^\s*\S*/.exec(text.slice(cursor)) ?? [];
  return { ...buffer, cursor: cursor + word.length };
}

/** Removes the word before the cursor. */
export function killWord(buffer: TextBuffer): TextBuffer {
  return removeTo(buffer, wordLeft(buffer).cursor);
}

/** Removes to the start of the line; at the start, the line break before it. */
export function killToStart(buffer: TextBuffer): TextBuffer {
  const { cursor } = home(buffer);
  return cursor === buffer.cursor ? backspace(buffer) : removeTo(buffer, cursor);
}

/** Removes to the end of the line; at the end, the line break after it. */
export function killToEnd(buffer: TextBuffer): TextBuffer {
  const { cursor } = end(buffer);
  return cursor === buffer.cursor ? deleteForward(buffer) : removeTo(buffer, cursor);
}

function removeTo(buffer: TextBuffer, other: number): TextBuffer {
  const { text, cursor } = buffer;
  const start = Math.min(cursor, other);
  const left = text.slice(0, start) + text.slice(Math.max(cursor, other));
  if (left === '') return emptyBuffer;
  if (left === text) return buffer;
  const { isCut: _isCut, ...whole } = buffer;
  return { ...whole, text: left, cursor: start };
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const found = text.indexOf('\n', cursor);
  return found === -1 ? text.length : found;
}

/** The cursor, as many graphemes into the line at `to` as it is into the one at `from`. */
function sameColumn(
  text: string,
  { from, cursor, to }: { from: number; cursor: number; to: number },
): number {
  const column = graphemesOf(text.slice(from, cursor)).length;
  return (
    to +
    graphemesOf(text.slice(to, lineEnd(text, to)))
      .slice(0, column)
      .join('').length
  );
}
