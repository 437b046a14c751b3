import { rememberLast } from '../../lib/remember-last.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { Binding, KeyName, Situation } from '../keys/binding.ts';
import { usableAt } from '../keys/keymap.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { findable, fuzzy, type Findable } from './fuzzy.ts';
import { slashCommands, type SlashCommand } from './slash-commands.ts';

/** What can be done through the palette. */
export type PaletteItem = { readonly label: string; readonly name: string } & (
  | { readonly is: 'key'; readonly key: string }
  | { readonly is: 'task'; readonly task: string }
  | { readonly is: 'sprint'; readonly sprint: string }
  | { readonly is: 'command'; readonly command: SlashCommand }
);

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

/** The items that match what was typed, the best first. */
export function paletteItems(situation: Situation): readonly PaletteItem[] {
  const { focus } = situation.state;
  if (focus.at !== 'palette') return [];
  const { text } = focus.draft;
  // What stands behind a command is not part of its name.
  const known = commandItems.find(({ item: { label } }) => text.startsWith(`${label} `));
  if (known) return [known.item];
  if (text.startsWith('/')) return fuzzy(commandItems, text);
  return matching(text, keyItems(keysNow(situation)), ...placeItems(situation.state), commandItems);
}

type Findables = readonly Findable<PaletteItem>[];

/** A key looks for them, and so does every drawing: among thousands of tasks once is enough. */
const matching = rememberLast((text: string, ...lists: readonly Findables[]) => fuzzy(lists.flat(), text));

const commandItems: Findables = slashCommands.map((command) =>
  toFind({
    is: 'command',
    command,
    label: command.name,
    name: [command.needs, command.about].filter((part) => part !== undefined).join(' · '),
  }),
);

/** Each key that does something now, where the palette was opened. */
function keysNow({ state, ...rest }: Situation): readonly Binding[] {
  const { focus } = state;
  if (focus.at !== 'palette') return [];
  const back: ScreenState = {
    ...state,
    focus: focus.back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' },
  };
  return usableAt({ state: back, ...rest });
}

const keyItems = rememberLast((bindings: readonly Binding[]): Findables =>
  bindings.flatMap(({ keys: [key], hint, help }) => {
    const name: KeyName | undefined = help ?? hint;
    if (key === undefined || name === undefined || plain.has(key)) return [];
    return [toFind({ is: 'key', key, label: name[1], name: name[0] })];
  }),
);

function placeItems({ sprint, palette, past, isOwner }: ScreenState): Findables[] {
  const tasks = taskItems(sprint.tasks.map(({ id }) => id));
  // A run that would be stopped for it is not left by the way.
  return past || isOwner ? [tasks] : [tasks, sprintItems(palette.sprints)];
}

const taskItems = rememberLast((ids: readonly string[]): Findables =>
  ids.map((id) => toFind({ is: 'task', task: id, label: `task ${stripAgentLine(id)}`, name: 'show it' })),
);

const sprintItems = rememberLast((ids: readonly string[]): Findables =>
  ids.map((id) => toFind({ is: 'sprint', sprint: id, label: `sprint ${id}`, name: 'go to it' })),
);

function toFind(item: PaletteItem): Findable<PaletteItem> {
  return findable(item, `${item.label} ${item.name}`);
}
