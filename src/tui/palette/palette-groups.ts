/** What the items of the palette are listed under, in this order: what it is opened for most comes first. */
const groups = ['Act', 'Show', 'Go to', 'Slash commands'] as const;

/** One of them. */
export type PaletteGroup = (typeof groups)[number];

/** What of an item says which. */
type Groupable =
  | { readonly is: 'key'; readonly key: string }
  | { readonly is: 'task' | 'sprint' | 'command' };

/** The keys that decide something, or begin to, on any screen. */
const acts = new Set(['B', 'C', 'M', 'P', 'R', 'S', 'T', 'X', 'i', 'r', 'ctrl+o', 'ctrl+r', 'ctrl+x']);
/** Those that change what is shown of it. */
const shows = new Set(['1', '2', '3', '4', '5', '6', '/', '?', 'F', 'd', 'f', 'g', 'h', 'l', 'y']);

/**
 * What an item is listed under.
 *
 * @internal
 */
export function groupOf(item: Groupable): PaletteGroup {
  if (item.is === 'command') return 'Slash commands';
  if (item.is !== 'key') return 'Go to';
  if (acts.has(item.key)) return 'Act';
  return shows.has(item.key) ? 'Show' : 'Go to';
}

/** The items group by group, each group in the order that it had. */
export function byGroup<Item extends Groupable>(items: readonly Item[]): readonly Item[] {
  return groups.flatMap((group) => items.filter((item) => groupOf(item) === group));
}

/** A row of the list: an item, by its place among all of them, or the heading of those below it. */
export type PaletteRow<Item> =
  | { readonly heading: PaletteGroup }
  | { readonly item: Item; readonly at: number };

/** The rows of items that are listed group by group. */
export function groupedRows<Item extends Groupable>(items: readonly Item[]): readonly PaletteRow<Item>[] {
  return items.flatMap((item, at): PaletteRow<Item>[] => {
    const group = groupOf(item);
    const before = items[at - 1];
    const isFirst = before === undefined || groupOf(before) !== group;
    return [...(isFirst ? [{ heading: group }] : []), { item, at }];
  });
}
