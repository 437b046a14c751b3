import { pickOption } from '../keys/answer-keys.ts';
import type { KeyContext } from '../keys/binding.ts';
import { moveInDetail, pickTask, showPane, withTask } from '../keys/browse.ts';
import { pressKey, scrollQuestion } from '../keys/press-key.ts';
import { allPanes } from '../panes/all-panes.ts';
import { hasCursor } from '../panes/pane.ts';
import { currentPane, withArea } from '../screen/browsing.ts';
import { currentQuestion, isSending } from '../screen/current-question.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { Pointed } from './mouse-areas.ts';

/** Rows that a notch of the wheel moves a text. */
const NOTCH = 3;

type Wheel = Exclude<Pointed['how'], 'click'>;

/**
 * The screen after the mouse was used on it: it picks and scrolls what can be seen. It decides nothing: no call is allowed,
 * nothing is sent or confirmed by it.
 */
export function pointAt(state: ScreenState, pointed: Pointed, context: KeyContext): ScreenState {
  const { how, part } = pointed;
  switch (state.focus.at) {
    case 'help':
    case 'over':
    case 'result':
      return how === 'click' ? state : times(NOTCH, state, (now) => pressKey(now, { key: how }, context));
    case 'sprint':
    case 'answer':
    case 'decide':
      return how === 'click' ? click(state, pointed, context) : wheel(state, pointed, how, context);
    // A box is closed by its keys, but what it is about can be read.
    case 'arming':
      return state;
    default:
      return how !== 'click' && part === 'question' ? turnQuestion(state, how, context) : state;
  }
}

function click(state: ScreenState, { part, item }: Pointed, context: KeyContext): ScreenState {
  const free: ScreenState = { ...state, focus: { at: 'sprint' }, notice: undefined };
  switch (part) {
    case 'tasks':
      return typeof item === 'string' ? withTask(free, item) : withArea(free, 'tasks');
    case 'tabs':
      return typeof item === 'number' ? showPane(free, item + 1) : state;
    case 'detail':
      return withArea(free, 'detail');
    case 'beside':
      return showBeside(free, item);
    case 'question':
      return state.focus.at === 'sprint' ? pressKey(state, { text: 'i' }, context) : state;
    case 'options': {
      const isAsked = !state.past && !isSending(state) && currentQuestion(state)?.approval === undefined;
      return isAsked && typeof item === 'number' ? pickOption(state, item) : state;
    }
    default:
      return state;
  }
}

function wheel(state: ScreenState, { part, item }: Pointed, how: Wheel, context: KeyContext): ScreenState {
  const { room } = context;
  switch (part) {
    case 'tasks':
      return pickTask(state, how, room);
    case 'detail':
      return hasCursor(currentPane(state).kind)
        ? moveInDetail(state, how, room)
        : times(NOTCH, state, (now) => moveInDetail(now, how, room));
    case 'beside':
      return showBeside({ ...state, focus: { at: 'sprint' } }, item);
    case 'question':
      return turnQuestion(state, how, context);
    default:
      return state;
  }
}

/** Keys and wheel move in the pane that was beside the other one, from now on. */
function showBeside(state: ScreenState, id: Pointed['item']): ScreenState {
  const at = allPanes.findIndex((pane) => pane.id === id);
  return at === -1 ? state : showPane(state, at + 1);
}

function turnQuestion(state: ScreenState, how: Wheel, { room }: KeyContext): ScreenState {
  return scrollQuestion(state, how === 'up' ? -NOTCH : NOTCH, room);
}

function times(count: number, state: ScreenState, step: (now: ScreenState) => ScreenState): ScreenState {
  return Array.from({ length: count }).reduce<ScreenState>(step, state);
}
