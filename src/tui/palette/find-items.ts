import { rememberLast } from '../../lib/remember-last.ts';
import type { KeyBinding, KeyGroup, KeyName } from '../keys/binding.ts';
import { findable, fuzzy, type Findable } from './fuzzy.ts';
import { byGroup } from './palette-groups.ts';
import { slashCommands, type SlashCommand } from './slash-commands.ts';

/** What can be done through the palette. */
export type PaletteItem = { readonly label: string; readonly name: string } & (
  | { readonly is: 'key'; readonly key: string; readonly group: KeyGroup }
  | { readonly is: 'task'; readonly task: string }
  | { readonly is: 'sprint'; readonly sprint: string }
  | CommandItem
);

/** A command of Clifford's own. */
export type CommandItem = {
  readonly label: string;
  readonly name: string;
  readonly is: 'command';
  readonly command: SlashCommand;
};

/** Items, and what is looked for in each. */
export type Findables = readonly Findable<PaletteItem>[];

/** What moves by itself under the hands, and what only closes something. */
const plain: ReadonlySet<string> = new Set([
  'up',
  'down',
  'home',
  'end',
  'pageup',
  'pagedown',
  'enter',
  'escape',
  'tab',
  'shift+tab',
  'ctrl+c',
  ':',
]);

/** The items that match what was typed, the best first, of these and of the commands; group by group, while nothing was typed. */
export function findItems(text: string, ...lists: readonly Findables[]): readonly PaletteItem[] {
  // What stands behind a command is not part of its name.
  const known = commandItems.find(({ item: { label } }) => text.startsWith(`${label} `));
  if (known) return [known.item];
  if (text.startsWith('/')) return fuzzy(commandItems, text);
  return matching(text, ...lists, commandItems);
}

/** A key looks for them, and so does every drawing: among thousands of tasks once is enough. */
const matching = rememberLast((text: string, ...lists: readonly Findables[]) => {
  const found = fuzzy(lists.flat(), text);
  return text.trim() === '' ? byGroup(found) : found;
});

const commandItems: Findables = slashCommands.map((command) =>
  toFind({
    is: 'command',
    command,
    label: command.name,
    name: [command.needs, command.about].filter((part) => part !== undefined).join(' · '),
  }),
);

/** What keys do, each of them by its first. */
export function keyItemsOf(
  bindings: readonly Pick<KeyBinding<never, unknown>, 'keys' | 'hint' | 'help' | 'group'>[],
): Findables {
  return bindings.flatMap(({ keys: [key], hint, help, group = 'Go to' }) => {
    const name: KeyName | undefined = help ?? hint;
    if (key === undefined || name === undefined || plain.has(key)) return [];
    return [toFind({ is: 'key', key, group, label: name[1], name: name[0] })];
  });
}

/** Sprints to go to. */
export const sprintItems = rememberLast((ids: readonly string[]): Findables =>
  ids.map((id) => toFind({ is: 'sprint', sprint: id, label: `sprint ${id}`, name: 'go to it' })),
);

/** An item, to be found by what its line says. */
export function toFind(item: PaletteItem): Findable<PaletteItem> {
  return findable(item, `${item.label} ${item.name}`);
}
