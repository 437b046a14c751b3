import { rememberLast } from '../../lib/remember-last.ts';
import type { SprintRow } from '../../views/sprints/overview.ts';
import type { PaletteAction } from '../keys/binding.ts';
import { actionFor, usable } from '../keys/find-binding.ts';
import type { Move } from '../keys/list-keys.ts';
import { findItems, keyItemsOf, sprintItems, type PaletteItem } from '../palette/find-items.ts';
import { paletteKeysFor, resultKeysFor, scrolledResult } from '../palette/keys-of-palette.ts';
import { openPalette } from '../palette/palette-state.ts';
import { stepPalette, type PickedItem } from '../palette/step-palette.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import { toLists, type OverviewAct, type OverviewBinding, type OverviewContext } from './overview-binding.ts';
import type { OverviewState } from './overview-state.ts';

type Bindings = readonly OverviewBinding[];

/** The items of the palette that match what was typed, the best first. `keys`: those of the lists, where it was opened. */
export function itemsAmong(keys: Bindings, state: OverviewState): readonly PaletteItem[] {
  const { focus } = state;
  if (focus.at !== 'palette') return [];
  const now = usable(keys, toLists(state));
  return findItems(focus.draft.text, keyItems(now), sprintItems(sprintIds(state.overview.rows)));
}

const keyItems = rememberLast((bindings: Bindings) => keyItemsOf(bindings));
const sprintIds = rememberLast((rows: readonly SprintRow[]) =>
  rows.filter(({ runs: { is } }) => is !== 'outside').map(({ sprint: { id } }) => id),
);

/** Keys while something is looked for among what these keys do, and more. */
export function paletteKeysAmong(keys: Bindings): Bindings {
  const does =
    (action: PaletteAction): OverviewAct =>
    (state, context) =>
      inPalette(keys, state, action, context);
  return paletteKeysFor({
    run: does('palette-run'),
    up: does('palette-up'),
    down: does('palette-down'),
    complete: does('palette-complete'),
    close: toLists,
    clear,
  });
}

/** Opens it. */
export function intoPalette(state: OverviewState): OverviewState {
  return { ...state, focus: openPalette('lists') };
}

/** Keys while it is shown what a command has said. */
export const resultKeys: Bindings = resultKeysFor<OverviewState, OverviewAct>({
  leave: (state, { emit, room }) => {
    // What cannot be seen is not closed either.
    if (room.isTooSmall) emit({ type: 'leave' });
    else if (runs(state)) emit({ type: 'slash-stop' });
    return room.isTooSmall ? state : toLists(state);
  },
  scroll: scrollResult,
  runs,
});

function inPalette(
  keys: Bindings,
  state: OverviewState,
  action: PaletteAction,
  context: OverviewContext,
): OverviewState {
  const { focus, palette } = state;
  if (focus.at !== 'palette') return state;
  const step = stepPalette({ focus, palette }, action, itemsAmong(keys, state), context.emit);
  if (!('picked' in step)) return { ...state, ...step };
  return take(keys, { ...toLists(state), palette: step.palette }, step.picked, context);
}

function take(
  keys: Bindings,
  there: OverviewState,
  item: PickedItem,
  context: OverviewContext,
): OverviewState {
  if (item.is === 'key') return actionFor(keys, item.key, there)?.(there, context) ?? there;
  return item.is === 'sprint' ? goTo(there, item.sprint, context) : there;
}

/** To the screen of a sprint; of what the log has not seen there is none, but its line. */
function goTo(state: OverviewState, sprint: string, { emit }: OverviewContext): OverviewState {
  const { rows } = state.overview;
  if (rows.some((row) => row.sprint.id === sprint && row.sprint.inLog)) emit({ type: 'enter', sprint });
  return { ...state, area: 'sprints', sprint, filter: emptyBuffer };
}

function clear(state: OverviewState, { emit, room }: OverviewContext): OverviewState {
  const { focus } = state;
  if (room.isTooSmall) emit({ type: 'leave' });
  if (room.isTooSmall || focus.at !== 'palette') return state;
  return focus.draft.text === '' ? toLists(state) : intoPalette(state);
}

function runs({ palette: { result } }: OverviewState): boolean {
  return result?.end === undefined;
}

function scrollResult(move: Move): OverviewAct {
  return (state, { room }) =>
    state.focus.at === 'result' ? { ...state, focus: scrolledResult(state.focus, move, room.result) } : state;
}
