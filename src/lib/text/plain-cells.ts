/**
 * Texts of characters that are each one grapheme and one cell: of ASCII, Latin, and the signs that we draw with. What
 * knows all the others takes longer to load than a short command runs, and longer to ask than the rest of a frame.
 */
const plain =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2010-\u2027\u2039\u203a\u2190-\u21ff\u2500-\u25fc\u2713-\u2718]*$/;
// oxlint-disable-next-line no-control-regex -- they are what is left out
const looks = /\u001B\[[\d;:]*m/g;

/** Whether each character of a text is one cell, and a character as readers count them. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/**
 * The cells of a text of such characters, in whatever colours. `undefined`: it takes more knowledge than there is here.
 *
 * @public The bundle asks it before it loads `string-width`: scripts/bundle/lazy-packages.ts.
 */
export function plainCells(text: string): number | undefined {
  const shown = text.includes('\u001B') ? text.replaceAll(looks, '') : text;
  return isPlain(shown) ? shown.length : undefined;
}
