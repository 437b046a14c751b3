/** Something, and the text in which letters of it are looked for, in small letters. */
export type Findable<T> = { readonly item: T; readonly letters: string };

export function findable<T>(item: T, text: string): Findable<T> {
  return { item, letters: text.toLowerCase() };
}

/**
 * How well a text has the letters of another one in it, in their order; `undefined`: it has not. The higher the better:
 * letters at the beginning of words and side by side count more. Both in small letters.
 *
 * @internal
 */
export function fuzzyScore(letters: string, wanted: string): number | undefined {
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = letters.indexOf(letter, at + 1);
    if (next === -1) return undefined;
    if (next === at + 1) score += 3;
    else if (isBetweenWords(letters, next - 1)) score += 2;
    else score -= 1;
    at = next;
  }
  return score;
}

/** The items that match, the best first; all of them where nothing is wanted. */
export function fuzzy<T>(all: readonly Findable<T>[], wanted: string): readonly T[] {
  const text = wanted.toLowerCase().replaceAll(/\s+/g, '');
  if (text === '') return all.map(({ item }) => item);
  const byScore = new Map<number, T[]>();
  for (const { item, letters } of all) {
    const score = fuzzyScore(letters, text);
    if (score === undefined) continue;
    const same = byScore.get(score);
    if (same) same.push(item);
    else byScore.set(score, [item]);
  }
  return [...byScore].toSorted(([one], [other]) => other - one).flatMap(([, items]) => items);
}

function isBetweenWords(letters: string, at: number): boolean {
  const code = letters.charCodeAt(at);
  // Letters and digits of ASCII, of which nearly all is: the expression takes ten times as long.
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return false;
  return /[^\p{L}\p{N}]/u.test(letters.charAt(at));
}
