import { clamp } from './clamp.ts';

/** The part of a list that is on the screen, and how much of it is not. */
export type Slice<T> = { readonly items: readonly T[]; readonly above: number; readonly below: number };

/** The items that fit into `rows`, with the focused one among them: in the middle, where that can be. */
export function visibleSlice<T>(
  items: readonly T[],
  rows: number,
  isFocused: (item: T) => boolean,
): Slice<T> {
  if (items.length <= rows) return { items, above: 0, below: 0 };
  const focus = Math.max(0, items.findIndex(isFocused));
  const above = clamp(focus - Math.floor(rows / 2), 0, items.length - rows);
  return { items: items.slice(above, above + rows), above, below: items.length - rows - above };
}

/** Where the focus is in a list that does not fit: `12/300`; of one that does, nothing. */
export function positionText<T>(items: readonly T[], rows: number, isFocused: (item: T) => boolean): string {
  if (items.length <= rows) return '';
  return `${Math.max(0, items.findIndex(isFocused)) + 1}/${items.length}`;
}
