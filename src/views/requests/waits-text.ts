/** What so many do: `waits` is what one does. */
export function waitVerb(number: number): 'waits' | 'wait' {
  return number === 1 ? 'waits' : 'wait';
}

/** How many wait, as the beginning of a sentence: `1 waits`, `3 wait`. */
export function waitsText(number: number): string {
  return `${number} ${waitVerb(number)}`;
}
