/** A text of at most `max` UTF-16 units; one that was cut ends with `…`. */
export function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;
}

/** The same on one line. */
export function clipLine(text: string, max: number): string {
  return clip(text.replaceAll(/\s+/gu, ' ').trim(), max);
}

/** A text of at most `max` UTF-16 units; one that was cut has `…` before the last third, and both of its ends. */
export function clipMiddle(text: string, max: number): string {
  const end = Math.floor(max / 3);
  return text.length > max ? clip(text, max - end) + text.slice(-end).toWellFormed() : text;
}
