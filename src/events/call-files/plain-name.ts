/** No field that is known has a longer name, in UTF-16 units. */
const LONGEST_NAME = 200;

/** What a field was called that stands beside one of its name. */
export function withoutShown(name: string): string {
  let own = name;
  while (own.endsWith(' shown')) own = own.slice(0, -' shown'.length);
  return own;
}

/** A name however it is written: `TargetFile`, `target_file`. */
export function plainName(name: string): string {
  if (name.length > LONGEST_NAME) return '';
  return withoutShown(name)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** The words of a name: `oldUri` and `old_uri` have the same. */
export function wordsOf(name: string): readonly string[] {
  if (name.length > LONGEST_NAME) return [];
  const parts = name.replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ').split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase());
}
