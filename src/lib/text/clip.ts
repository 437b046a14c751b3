/** A text of at most `max` UTF-16 units; one that was cut ends with `…`. */
export function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}…` : text;
}

/** The same on one line. */
export function clipLine(text: string, max: number): string {
  return clip(text.replaceAll(/\s+/gu, ' ').trim(), max);
}
