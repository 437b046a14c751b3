import { currentQuestion } from './current-question.ts';
import { isConfirming } from './focus.ts';
import type { ScreenState } from './screen-state.ts';

/** A key was dropped: those that will do something in a moment stay in sight. */
export function isWaiting({ focus }: ScreenState): boolean {
  return focus.at === 'arming' && focus.dropped > 0;
}

/** The screen whose keys are named on this one. */
export function named(state: ScreenState): ScreenState {
  return isWaiting(state) ? armed(state) : state;
}

/** The screen once what waited to be seen takes keys. */
export function armed(state: ScreenState): ScreenState {
  const { focus } = state;
  if (focus.at === 'arming') {
    const question = currentQuestion(state);
    if (!question) return { ...state, focus: { at: 'sprint' } };
    return { ...state, focus: { at: focus.leadsTo ?? (question.approval ? 'decide' : 'answer') } };
  }
  return isConfirming(focus) ? { ...state, focus: { ...focus, isArmed: true } } : state;
}
