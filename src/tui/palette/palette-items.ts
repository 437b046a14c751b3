import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { KeyName, Situation } from '../keys/binding.ts';
import { usableAt } from '../keys/keymap.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { fuzzy } from './fuzzy.ts';
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
  const items = text.startsWith('/')
    ? commandItems
    : [...keyItems(situation), ...placeItems(situation.state), ...commandItems];
  // What stands behind a command is not part of its name.
  const known = commandItems.find(({ label }) => text.startsWith(`${label} `));
  return known ? [known] : fuzzy(items, text, ({ label, name }) => `${label} ${name}`);
}

const commandItems = slashCommands.map((command): PaletteItem => ({
  is: 'command',
  command,
  label: command.name,
  name: [command.needs, command.about].filter((part) => part !== undefined).join(' · '),
}));

/** Each key that does something now, where the palette was opened. */
function keyItems({ state, ...rest }: Situation): PaletteItem[] {
  const { focus } = state;
  if (focus.at !== 'palette') return [];
  const back: ScreenState = {
    ...state,
    focus: focus.back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' },
  };
  return usableAt({ state: back, ...rest }).flatMap(({ keys: [key], hint, help }): PaletteItem[] => {
    const name: KeyName | undefined = help ?? hint;
    if (key === undefined || name === undefined || plain.has(key)) return [];
    return [{ is: 'key', key, label: name[1], name: name[0] }];
  });
}

function placeItems({ sprint, palette, past, isOwner }: ScreenState): PaletteItem[] {
  const tasks = sprint.tasks.map(({ id }): PaletteItem => ({
    is: 'task',
    task: id,
    label: `task ${stripAgentLine(id)}`,
    name: 'show it',
  }));
  // A run that would be stopped for it is not left by the way.
  if (past || isOwner) return tasks;
  const others = palette.sprints.map((id): PaletteItem => ({
    is: 'sprint',
    sprint: id,
    label: `sprint ${id}`,
    name: 'go to it',
  }));
  return [...tasks, ...others];
}
