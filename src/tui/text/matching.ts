/** The items of which some text has this in it, in whatever case: what a filter leaves. */
export function matching<T>(
  items: readonly T[],
  text: string,
  textsOf: (item: T) => readonly string[],
): readonly T[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return items;
  return items.filter((item) => textsOf(item).join('\n').toLowerCase().includes(wanted));
}
