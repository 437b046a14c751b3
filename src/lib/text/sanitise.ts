/* oxlint-disable no-control-regex -- control characters are what this file is about */

/** Escape sequences: strings (OSC, DCS, SOS, PM, APC) with or without their end, CSI, and the short ones. */
const sequences =
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^]*?(?:\x07|\x1b\\|\x9c|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
/** Controls but newline, and characters that reorder text or cannot be seen. */
const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Them and line breaks. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Marks heaped on one character draw over the lines above it. */
const heapedMarks = /(\p{M}{4})\p{M}+/gu;
/** What a person may not type either: controls, changes of direction, and blanks without width. */
const unwanted = /(?![\n\t])\p{Cc}|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Agent output without anything that could move the cursor, colour, hide or reorder text. Newlines stay. */
export function stripAgentText(text: string): string {
  return withoutHeaps(evenLines(text.replaceAll(sequences, '')).replaceAll(invisible, ''));
}

/** Text of others as a part of one of our lines. */
export function asOneLine(text: string): string {
  return stripAgentText(text).replaceAll(/\s+/g, ' ').trim();
}

/** Agent text a person decides about: what {@link stripAgentText} removes is shown, as `\x1b` or `\u202e`. */
export function escapeAgentText(text: string): string {
  return withoutHeaps(evenLines(text).replaceAll(invisible, asEscape));
}

/** A line a person decides about: {@link escapeAgentText}, and line breaks are shown, too. */
export function escapeAgentLine(text: string): string {
  return withoutHeaps(text.toWellFormed().replaceAll(unseen, asEscape));
}

/** Text a person pasted: without sequences and unwanted controls; newlines, tabs and emoji stay. */
export function cleanPaste(text: string): string {
  return text.replaceAll(sequences, '').replaceAll(/\r\n?/g, '\n').replaceAll(unwanted, '').toWellFormed();
}

/** One line of output as a terminal would show it: a carriage return starts the line again. */
export function lastOverwrite(line: string): string {
  const ended = line.replace(/\r+$/, '');
  return ended.slice(ended.lastIndexOf('\r') + 1);
}

function evenLines(text: string): string {
  return text
    .replaceAll(/\r\n|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', '    ')
    .toWellFormed();
}

function withoutHeaps(text: string): string {
  return text.replaceAll(heapedMarks, '$1');
}

function asEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return String.raw`\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? String.raw`\u${hex.padStart(4, '0')}` : String.raw`\u{${hex}}`;
}
