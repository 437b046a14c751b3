/** How many wait, as the beginning of a sentence: `1 waits`, `3 wait`. */
export function waitsText(number: number): string {
  return `${number} ${number === 1 ? 'waits' : 'wait'}`;
}
