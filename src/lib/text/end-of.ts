/**
 * The end of a text, of at most so many UTF-16 units. What goes on with a line stands behind `…`: it is not the beginning of one, whatever
 * it looks like.
 */
export function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = text.length - most;
  return text[from - 1] === '\n' ? text.slice(from) : `…${withoutHalf(text.slice(from + 1))}`;
}

/** Without the second half of a character whose first one is cut off. */
function withoutHalf(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '');
}
