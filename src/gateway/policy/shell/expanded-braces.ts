/** How many words braces may become. Of more there are no more than these. */
export const MAX_WORDS = 64;

/**
 * The words that bash makes of one with `{a,b}` in it; quotes stay, as they do for bash. `{a..c}` stays as it is. Of
 * more than 64 words there are those that were found by then.
 */
export function expandedBraces(word: string): string[] {
  let words = [word];
  let at = 0;
  while (at < words.length && words.length < MAX_WORDS) {
    const found = bracesIn(words[at] ?? '');
    if (found === undefined) at++;
    else {
      const { before, choices, after } = found;
      words = words.toSpliced(at, 1, ...choices.slice(0, MAX_WORDS).map((choice) => before + choice + after));
    }
  }
  return words;
}

type Braces = { readonly before: string; readonly choices: readonly string[]; readonly after: string };

/** The first pair with a comma of its own. */
function bracesIn(word: string): Braces | undefined {
  const opened: { at: number; commas: number[] }[] = [];
  let found: Braces | undefined;
  for (let at = 0; at < word.length; at++) {
    const character = word[at];
    if (character === '\\') at++;
    else if (character === "'" || character === '"') at = closingQuote(word, at);
    else if (character === '{') opened.push({ at, commas: [] });
    else if (character === ',') opened.at(-1)?.commas.push(at);
    else if (character === '}') {
      const braces = opened.pop();
      if (braces === undefined || braces.commas.length === 0) continue;
      const ends = [...braces.commas, at];
      const choices = ends.map((end, index) =>
        word.slice(index === 0 ? braces.at + 1 : (ends[index - 1] ?? 0) + 1, end),
      );
      found = { before: word.slice(0, braces.at), choices, after: word.slice(at + 1) };
      // What is around it comes first, as in bash.
      if (opened.length === 0) return found;
    }
  }
  return found;
}

function closingQuote(word: string, from: number): number {
  const quote = word[from];
  for (let at = from + 1; at < word.length; at++) {
    if (word[at] === '\\' && quote === '"') at++;
    else if (word[at] === quote) return at;
  }
  return word.length;
}
