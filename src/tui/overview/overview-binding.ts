import type { KeyBinding } from '../keys/binding.ts';
import type { OverviewEffect, OverviewRoom, OverviewState } from './overview-state.ts';

/** What a key can look at, and where what it wants done goes. */
export type OverviewContext = {
  readonly room: OverviewRoom;
  readonly emit: (effect: OverviewEffect) => void;
};

/** What a key of the overview does. */
export type OverviewAct = (state: OverviewState, context: OverviewContext) => OverviewState;

/** Keys of the overview that do the same in one place. */
export type OverviewBinding = KeyBinding<OverviewState, OverviewAct>;

/** From wherever keys go back to the lists. */
export function toLists(state: OverviewState): OverviewState {
  return { ...state, focus: { at: 'lists' } };
}

/** A key that has something done outside, and changes nothing that is shown. */
export function emits(type: 'leave' | 'suspend'): OverviewAct {
  return (state, { emit }) => {
    emit({ type });
    return state;
  };
}
