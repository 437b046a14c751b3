/** The longest piece, in UTF-16 units. */
const PIECE = 256;

/**
 * A text as pieces that a browser lays out one by one, each a text node of its own: laying out one node takes the square of its
 * length where its characters come from several fonts, which is half a minute for 65 kB. It looks the same.
 */
export function inPieces(text: string): string | string[] {
  if (text.length <= PIECE) return text;
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    // Two halves of a character stay together.
    const isHalf = /[\uD800-\uDBFF]/.test(text[at + PIECE - 1] ?? '');
    const end = at + PIECE - (isHalf ? 1 : 0);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
