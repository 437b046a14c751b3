/** The part of a list that is on the screen, and how much is not. */
export type Slice<T> = { readonly items: readonly T[]; readonly above: number; readonly below: number };

/**
 * The items that fit into `rows` with the focused one among them. Where items are left out, a row of
 * that side is kept for saying so.
 */
export function visibleSlice<T>(
  items: readonly T[],
  rows: number,
  isFocused: (item: T) => boolean,
): Slice<T> {
  if (items.length <= rows) return { items, above: 0, below: 0 };
  const focus = Math.max(0, items.findIndex(isFocused));
  const inner = Math.max(1, rows - 2);
  const centred = Math.max(0, Math.min(focus - Math.floor(inner / 2), items.length - inner));
  const first = centred <= 1 ? 0 : centred;
  const last = first + inner >= items.length - 1 ? items.length : first + inner;
  const from = last === items.length ? Math.max(0, items.length - rows + 1) : first;
  const to = first === 0 ? Math.min(items.length, rows - 1) : last;
  return { items: items.slice(from, to), above: from, below: items.length - to };
}
