import { LONGEST_NAME } from './field-names.ts';

/** So many marks around a path are looked behind. */
const MOST_MARKS = 4;

/**
 * What a text that names a file may mean besides: each one of several, and what stands in the marks by which people and models
 * mention a file, `<a.ts>`, `@a.ts`, `[a.ts](src/a.ts)`. All of these may be the name of a file, too.
 */
export function spellingsOfPath(text: string): readonly string[] {
  // That a name is so long is enough to ask.
  if (text.length > LONGEST_NAME) return [];
  const parts = text.split(/[,;]/).map((part) => part.trim());
  const all = parts.flatMap((part) => [part, ...unmarked(part)]);
  return all.filter((each) => each !== '' && each !== text);
}

function unmarked(text: string, depth = 0): readonly string[] {
  if (depth === MOST_MARKS) return [];
  const [, words, target] = /^!?\[(.*)\]\((.*)\)$/s.exec(text) ?? [];
  const [, inner] = /^(?:<(.*)>|@+(.*))$/s.exec(text)?.filter((each) => each !== undefined) ?? [];
  const found = [words, target, inner].flatMap((each) => (each === undefined ? [] : [each.trim()]));
  return found.flatMap((each) => [each, ...unmarked(each, depth + 1)]);
}
