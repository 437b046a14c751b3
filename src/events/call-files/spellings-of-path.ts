import { isJsonText, textsOfField } from './field-names.ts';

/** Of a longer text no file is looked for in it, in UTF-16 units: that a name is so long is enough to ask. */
const LONGEST = 4_096;

/** So many marks around a path are looked behind. */
const MOST_MARKS = 4;

/**
 * What a text that names a file may mean besides: each one of several, in a list of JSON, too, and what stands in the marks by which people and models
 * mention a file, `<a.ts>`, `@a.ts`, `[a.ts](src/a.ts)`. All of these may be the name of a file, too.
 */
export function spellingsOfPath(text: string): readonly string[] {
  if (text.length > LONGEST) return [];
  const list = isJsonText(text) ? textsOfField(JSON.parse(text)) : [];
  const parts = [...list, ...text.split(/[,;]/)].map((part) => part.trim());
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
