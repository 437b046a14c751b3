import { withoutHidden } from '../../lib/text/hidden-characters.ts';

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

/** The name as a person reads it: `Ｄelete_File<zero width> ` is `delete_file`. */
export function asRead(name: string): string {
  // Nearly all are written so, and each is looked at by every rule.
  if (/^[ -~]*$/.test(name)) return name.trim().toLowerCase();
  return withoutHidden(name.normalize('NFKC')).trim().toLowerCase();
}
