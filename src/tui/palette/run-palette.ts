import type { Act, Action, KeyContext, PaletteAction, Situation } from '../keys/binding.ts';
import { withTask } from '../keys/browse.ts';
import { strokeNamed, type Stroke } from '../keys/strokes.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { paletteItems } from './palette-items.ts';
import { stepPalette, type PickedItem } from './step-palette.ts';

/** Presses a key where the palette was opened. */
type Press = (state: ScreenState, stroke: Stroke) => ScreenState;

/** Is it an action of the palette? */
export function isOfPalette(action: Action | Act | undefined): action is PaletteAction {
  return typeof action === 'string' && action.startsWith('palette-');
}

/** The screen of a sprint after a key of the palette. */
export function inPalette(
  situation: Situation,
  action: PaletteAction,
  { emit }: KeyContext,
  press: Press,
): ScreenState {
  const { state } = situation;
  const { focus, palette } = state;
  if (focus.at !== 'palette') return state;
  const step = stepPalette({ focus, palette }, action, paletteItems(situation), emit);
  if (!('picked' in step)) return { ...state, ...step };
  const there: ScreenState = {
    ...state,
    focus: focus.back === 'over' ? { at: 'over', top: 0 } : { at: 'sprint' },
    palette: step.palette,
  };
  return take(there, step.picked, emit, press);
}

function take(there: ScreenState, item: PickedItem, emit: KeyContext['emit'], press: Press): ScreenState {
  switch (item.is) {
    case 'key':
      return press(there, strokeNamed(item.key));
    case 'task':
      return withTask({ ...there, focus: { at: 'sprint' } }, item.task);
    case 'sprint':
      emit({ type: 'go', sprint: item.sprint });
      return there;
  }
}
