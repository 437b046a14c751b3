/**
 * Whether a text as a whole is what the pattern says: `*` stands for any characters, `?` for one UTF-16 unit,
 * everything else for itself, in the same case. No character escapes another.
 *
 * Takes at most text length × pattern length steps, whatever both are.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  if (pieces.length === 1) return first.length === text.length && isAt(first, text, 0);
  const last = pieces.at(-1) ?? '';
  const end = text.length - last.length;
  if (end < first.length || !isAt(first, text, 0) || !isAt(last, text, end)) return false;

  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    // The leftmost place leaves the most room for the pieces that follow: no other has to be tried.
    const at = placeOf(piece, text, from);
    if (at === undefined || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}

/** Whether some text is matched by both of two patterns. Takes at most length × length steps. */
export function mayBothMatch(one: string, other: string): boolean {
  const signs = other.split('').entries().toArray();
  /** Of each beginning of the other, whether it may be what was read of the one. */
  let row = [true];
  for (const [at, its] of signs) row.push(row[at] === true && its === '*');
  for (const sign of one) {
    const next = [row[0] === true && sign === '*'];
    for (const [at, its] of signs)
      if (sign === '*' || its === '*') next.push(next[at] === true || row[at + 1] === true);
      else next.push(row[at] === true && (sign === its || sign === '?' || its === '?'));
    row = next;
  }
  return row.at(-1) === true;
}

/** Whether the pattern is one text, without `*` and `?`. */
export function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern);
}

/** Whether every text that `inner` matches is matched by `outer`, too. False also where that is hard to tell. */
export function coversPattern(outer: string, inner: string): boolean {
  // What is any text in `inner` must meet a `*` of `outer`: as a unit of its own it fits no `?` and no character.
  if (inner.includes('*') && outer.includes('?')) return false;
  return matchesPattern(outer, inner);
}

function placeOf(piece: string, text: string, from: number): number | undefined {
  if (!piece.includes('?')) {
    const found = text.indexOf(piece, from);
    return found < 0 ? undefined : found;
  }
  for (let at = from; at + piece.length <= text.length; at++) if (isAt(piece, text, at)) return at;
  return undefined;
}

function isAt(piece: string, text: string, at: number): boolean {
  if (!piece.includes('?')) return text.startsWith(piece, at);
  for (let index = 0; index < piece.length; index++) {
    if (piece[index] !== '?' && piece[index] !== text[at + index]) return false;
  }
  return true;
}
