import type { KeyGroup } from '../keys/binding.ts';

/** What the items of the palette are listed under. */
export type PaletteGroup = KeyGroup | 'Slash commands';

/** In this order: what it is opened for most comes first. */
const groups: readonly PaletteGroup[] = ['Act', 'Show', 'Go to', 'Slash commands'];

/** What of an item says which. */
type Groupable =
  | { readonly is: 'key'; readonly group: KeyGroup }
  | { readonly is: 'task' | 'sprint' | 'command' };

/**
 * What an item is listed under.
 *
 * @internal
 */
export function groupOf(item: Groupable): PaletteGroup {
  if (item.is === 'command') return 'Slash commands';
  return item.is === 'key' ? item.group : 'Go to';
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
