import { disarmed, type Focus } from '../screen/focus.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { Binding } from './binding.ts';
import { helpFrom } from './help-focus.ts';

/** Lists the keys: wherever none of them is text. */
export const openHelp: Binding = {
  keys: ['?'],
  action: (state) => ({ ...state, focus: helpFrom(state.focus) }),
  hint: ['?', 'help'],
  group: 'Show',
};

/** The same where it is confirmed or chosen: the line of hints has the keys of that, and the way out. */
export const openHelpUnnamed: Binding = { keys: openHelp.keys, action: openHelp.action };

/** From the keys that are listed back to where they were asked for. What decides there is looked at again first. */
export function closeHelp(state: ScreenState): ScreenState {
  return state.focus.at === 'help' ? { ...state, focus: focusBelow(state, state.focus.back) } : state;
}

/** The run may have ended meanwhile, or another one have begun. */
function focusBelow({ summary }: ScreenState, back: Focus): Focus {
  const isOfRun = back.at === 'over' || back.at === 'stop';
  if (isOfRun && summary) return { at: 'over', top: 0 };
  return back.at === 'over' ? { at: 'sprint' } : disarmed(back);
}
