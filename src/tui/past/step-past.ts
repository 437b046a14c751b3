import { withArea } from '../screen/browsing.ts';
import type { Effect } from '../screen/screen-effect.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import type { ArrivedAt } from './past.ts';

/** The speed that playing begins with. */
const FIRST_SPEED = 10;

/** The screen at a moment of the past. What is asked there was asked then: nothing takes an answer. */
export function takeMoment(
  state: ScreenState,
  { moment, sprint, index, outcomes, found, isBeginning }: ArrivedAt,
): ScreenState {
  const { past } = state;
  // The person has turned to something else while the history was read.
  const isElsewhere = !past && state.focus.at !== 'sprint' && state.focus.at !== 'over';
  if (isElsewhere && !isBeginning) return state;
  const current = sprint.open.some(({ id }) => id === state.current) ? state.current : sprint.open[0]?.id;
  const shown: ScreenState = {
    ...state,
    sprint,
    current,
    questionTop: current === state.current ? state.questionTop : 0,
    focus: past ? state.focus : { at: 'sprint' },
    past: {
      present: state.sprint,
      left: state.current,
      speed: FIRST_SPEED,
      isPlaying: false,
      marked: undefined,
      asks: 'place',
      goal: emptyBuffer,
      isSifted: false,
      ...past,
      changes: undefined,
      moment,
      index,
      outcomes,
      found,
    },
  };
  const isGone = current === undefined && state.browsing.area === 'question';
  return isGone ? withArea(shown, 'tasks') : shown;
}

/** The present again: as it is by now. */
export function backToNow(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  const { past } = state;
  if (!past) return state;
  emit({ type: 'to-now' });
  const { present } = past;
  const shown = (present.open.find(({ id }) => id === past.left) ?? present.open[0])?.id;
  const atEase = state.summary ? ({ at: 'over', top: 0 } as const) : ({ at: 'sprint' } as const);
  const focus = shown === undefined ? atEase : ({ at: 'arming', dropped: 0 } as const);
  const now: ScreenState = {
    ...state,
    past: undefined,
    sprint: present,
    current: shown,
    questionTop: 0,
    focus,
  };
  return shown === undefined ? now : withArea(now, 'question');
}
