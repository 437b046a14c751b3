/**
 * How well a text has the letters of another one in it, in their order; `undefined`: it has not. The higher the better:
 * letters at the beginning of words and side by side count more.
 *
 * @internal
 */
export function fuzzyScore(text: string, wanted: string): number | undefined {
  const letters = text.toLowerCase();
  let score = 0;
  let at = -1;
  for (const letter of wanted.toLowerCase().replaceAll(/\s+/g, '')) {
    const next = letters.indexOf(letter, at + 1);
    if (next === -1) return undefined;
    if (next === at + 1) score += 3;
    else if (/[^\p{L}\p{N}]/u.test(letters[next - 1] ?? ' ')) score += 2;
    else score -= 1;
    at = next;
  }
  return score;
}

/** The items that match, the best first; all of them where nothing is wanted. */
export function fuzzy<T>(items: readonly T[], wanted: string, textOf: (item: T) => string): readonly T[] {
  if (wanted.trim() === '') return items;
  return items
    .flatMap((item) => {
      const score = fuzzyScore(textOf(item), wanted);
      return score === undefined ? [] : [{ item, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .map(({ item }) => item);
}
