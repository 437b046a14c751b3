import { withoutHidden } from '../../lib/text/hidden-characters.ts';

/**
 * A text of a server for the eyes of a model: without escape sequences, controls, and whatever a person who reads
 * the same text would not see. Newlines and tabs stay. What is longer than `maxLength` UTF-16 units is cut, and
 * says so.
 */
export function textForModel(text: string, maxLength: number): string {
  // Cut first: a text of many megabytes is not to be searched as a whole.
  const clean = withoutHidden(text.slice(0, maxLength + 1_000));
  if (text.length <= maxLength + 1_000 && clean.length <= maxLength) return clean;
  return `${clean.slice(0, maxLength).toWellFormed()}… [cut by Clifford: it has ${text.length} characters]`;
}
