import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { graphemesOf } from '../../lib/text/cells.ts';

/** A text being typed. `cursor` is an offset in UTF-16 units, always between two graphemes. */
export type TextBuffer = { readonly text: string; readonly cursor: number };

export const emptyBuffer: TextBuffer = { text: '', cursor: 0 };

/** The text with `added` at the cursor; unchanged when it would be longer than an answer may be. */
export function insert({ text, cursor }: TextBuffer, added: string): TextBuffer {
  if (text.length + added.length > MAX_TEXT_LENGTH) return { text, cursor };
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

export function left({ text, cursor }: TextBuffer): TextBuffer {
  if (text[cursor - 1] === '\n') return { text, cursor: cursor - 1 };
  const before = graphemesOf(text.slice(lineStart(text, cursor), cursor)).at(-1) ?? '';
  return { text, cursor: cursor - before.length };
}

export function right({ text, cursor }: TextBuffer): TextBuffer {
  if (text[cursor] === '\n') return { text, cursor: cursor + 1 };
  const after = graphemesOf(text.slice(cursor, lineEnd(text, cursor)))[0] ?? '';
  return { text, cursor: cursor + after.length };
}

/** To the start of the line. */
export function home({ text, cursor }: TextBuffer): TextBuffer {
  return { text, cursor: lineStart(text, cursor) };
}

/** To the end of the line. */
export function end({ text, cursor }: TextBuffer): TextBuffer {
  return { text, cursor: lineEnd(text, cursor) };
}

/** To the same place in the line above; from the first line to its start. */
export function up({ text, cursor }: TextBuffer): TextBuffer {
  const start = lineStart(text, cursor);
  if (start === 0) return { text, cursor: 0 };
  return { text, cursor: sameColumn(text, { from: start, cursor, to: lineStart(text, start - 1) }) };
}

/** To the same place in the line below; from the last line to its end. */
export function down({ text, cursor }: TextBuffer): TextBuffer {
  const next = lineEnd(text, cursor) + 1;
  if (next > text.length) return { text, cursor: text.length };
  return { text, cursor: sameColumn(text, { from: lineStart(text, cursor), cursor, to: next }) };
}

/** Before the word on the left. */
export function wordLeft({ text, cursor }: TextBuffer): TextBuffer {
  const [word = ''] = /\S*\s*$/.exec(text.slice(0, cursor)) ?? [];
  return { text, cursor: cursor - word.length };
}

/** Behind the word on the right. */
export function wordRight({ text, cursor }: TextBuffer): TextBuffer {
  const [word = ''] = /^\s*\S*/.exec(text.slice(cursor)) ?? [];
  return { text, cursor: cursor + word.length };
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

function removeTo({ text, cursor }: TextBuffer, other: number): TextBuffer {
  const start = Math.min(cursor, other);
  return { text: text.slice(0, start) + text.slice(Math.max(cursor, other)), cursor: start };
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
