import { rememberLast } from '../../lib/remember-last.ts';
import { stripAgentLine } from '../../lib/text/sanitise.ts';
import type { Binding, Situation } from '../keys/binding.ts';
import { beginKey } from '../keys/act-keys.ts';
import { usableAt } from '../keys/keymap.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import {
  findItems,
  keyItemsOf,
  sprintItems,
  toFind,
  type Findables,
  type PaletteItem,
} from './find-items.ts';

/** The items of the screen of a sprint that match what was typed, the best first. */
export function paletteItems(situation: Situation): readonly PaletteItem[] {
  const { focus } = situation.state;
  if (focus.at !== 'palette') return [];
  return findItems(focus.draft.text, keyItems(keysNow(situation)), ...placeItems(situation.state));
}

/** Each key that does something now, where the palette was opened. */
function keysNow({ state, ...rest }: Situation): readonly Binding[] {
  const { focus } = state;
  if (focus.at !== 'palette') return [];
  const back: ScreenState = {
    ...state,
    focus: focus.back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' },
  };
  return actsFirst(usableAt({ state: back, ...rest }));
}

/** What decides something is what the palette is opened for, an answer that is waited for before all: what only moves is known by its keys. */
const actsFirst = rememberLast((bindings: readonly Binding[]): readonly Binding[] =>
  bindings.toSorted((one, other) => rankOf(one) - rankOf(other)),
);

function rankOf(binding: Binding): number {
  if (binding === beginKey) return 0;
  if (binding.action === 'enter-box') return 1;
  return binding.group === 'Act' ? 2 : 3;
}

const keyItems = rememberLast((bindings: readonly Binding[]) => keyItemsOf(bindings));

function placeItems({ sprint, palette, past, isOwner }: ScreenState): Findables[] {
  const tasks = taskItems(sprint.tasks.map(({ id }) => id));
  // A run that would be stopped for it is not left by the way.
  return past || isOwner ? [tasks] : [tasks, sprintItems(palette.sprints)];
}

const taskItems = rememberLast((ids: readonly string[]): Findables =>
  ids.map((id) => toFind({ is: 'task', task: id, label: `task ${stripAgentLine(id)}`, name: 'show it' })),
);
