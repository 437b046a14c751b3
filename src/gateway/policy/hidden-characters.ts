import { stripVTControlCharacters } from 'node:util';

/** Controls but newline and tab, and characters that reorder text or cannot be seen. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/**
 * A text of a server for the eyes of a model: without escape sequences, controls, and whatever a person who reads
 * the same text would not see. Newlines and tabs stay. What is longer than `maxLength` UTF-16 units is cut, and
 * says so.
 */
export function cleanText(text: string, maxLength: number): string {
  // Cut first: a text of many megabytes is not to be searched as a whole.
  const clean = withoutHidden(text.slice(0, maxLength + 1_000));
  if (text.length <= maxLength + 1_000 && clean.length <= maxLength) return clean;
  return `${clean.slice(0, maxLength).toWellFormed()}… [cut by Clifford: it has ${text.length} characters]`;
}

/** A text of a server as a part of one of our lines, at most `maxLength` UTF-16 units of it. */
export function asOneLine(text: string, maxLength: number): string {
  const line = withoutHidden(text.slice(0, maxLength + 1_000))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= maxLength && text.length <= maxLength + 1_000
    ? line
    : `${line.slice(0, maxLength).toWellFormed()}…`;
}

/** The text without sequences and hidden characters. */
export function withoutHidden(text: string): string {
  return stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n')).replaceAll(hidden, '').toWellFormed();
}

/** The text with everything hidden written out as `\u{200b}`, newlines and tabs too: on one line. */
export function showHidden(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The name as a person reads it: `Ｄelete_File<zero width> ` is `delete_file`. */
export function asRead(name: string): string {
  // Nearly all are written so, and each is looked at by every rule.
  if (/^[!-~]*$/.test(name)) return name.toLowerCase();
  return withoutHidden(name.normalize('NFKC')).trim().toLowerCase();
}
