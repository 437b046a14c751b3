/** How many items two lists begin with alike, and end with; none is counted twice. */
export function commonEnds(
  one: readonly string[],
  other: readonly string[],
): { readonly first: number; readonly last: number } {
  const most = Math.min(one.length, other.length);
  let first = 0;
  while (first < most && one[first] === other[first]) first += 1;
  let last = 0;
  while (last < most - first && one.at(-1 - last) === other.at(-1 - last)) last += 1;
  return { first, last };
}
