import type { ScreenState } from '../screen/screen-state.ts';
import type { Binding } from './binding.ts';

/** To what waits now, or to the tasks. */
function goOn(before: ScreenState): ScreenState {
  const state = { ...before, notice: undefined };
  if (state.current !== undefined) return { ...state, focus: { at: 'arming', dropped: 0 } };
  return { ...state, focus: state.summary ? { at: 'over', top: 0 } : { at: 'sprint' } };
}

/** Keys after somebody else has closed what they went to: none that a text has. */
export const closedKeys: readonly Binding[] = [
  {
    keys: ['escape'],
    action: goOn,
    hint: ['Esc', 'go on'],
    help: ['Esc', 'go on: until then no key does anything'],
  },
  { keys: ['ctrl+c'], action: 'force' },
];
