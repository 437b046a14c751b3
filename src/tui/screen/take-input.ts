import { atWords, isAtOption } from '../keys/answer-keys.ts';
import { pressKey } from '../keys/press-key.ts';
import { enterTooSoon, isEnter, takeLines, type Stroke } from '../keys/strokes.ts';
import { withoutHiddenButJoiners } from '../../lib/text/hidden-characters.ts';
import { insertPaste } from '../text/text-buffer.ts';
import { currentDraft, isTyping, withDraft } from '../drafts/drafts.ts';
import { disarmed, isConfirming, type Focus } from './focus.ts';
import { isReviewing } from '../drafts/form-state.ts';
import type { Effect } from './screen-effect.ts';
import type { ScreenEvent } from './screen-event.ts';
import type { ScreenState } from './screen-state.ts';

/** The screen after keys. Those that come together decide nothing. */
export function takeKeys(
  state: ScreenState,
  { strokes, isTogether, areLines, room }: Extract<ScreenEvent, { type: 'keys' }>,
  emit: (effect: Effect) => void,
): ScreenState {
  // One deliberate key confirms. Several at once are text that was meant for something else.
  const areSeveral = isTogether === true || strokes.length > 1;
  if (areSeveral) {
    if (isConfirming(state.focus)) return areLines ? unseen(state) : state;
    if (state.focus.at === 'decide' || isSendingAtOnce(state))
      return { ...state, focus: { at: 'arming', dropped: strokes.length } };
  }
  const press = (now: ScreenState, stroke: Stroke) =>
    areSeveral && isEnter(stroke) && isTyping(now)
      ? withEnterOfText(now)
      : pressKey(now, stroke, { room, emit });
  return areLines
    ? takeLines(state, strokes, { isTyping, press, paste: takePaste })
    : strokes.reduce(press, state);
}

/** Whether a key by itself decides something here, or sends what is typed. */
export function decidesAlone(state: ScreenState, stroke: Stroke): boolean {
  const { focus } = state;
  return isConfirming(focus) || focus.at === 'decide' || (isEnter(stroke) && isTyping(state));
}

/** An Enter that came together with other keys sends nothing: it ends a line of what is typed, or is to be pressed again. */
function withEnterOfText(state: ScreenState): ScreenState {
  const isInText = !isAtOption(state) && currentDraft(state).text !== '' && !isOneLine(state.focus);
  return isInText ? takePaste(state, '\n') : { ...state, notice: enterTooSoon };
}

/** Enter sends all answers to a form, which are looked at. */
function isSendingAtOnce(state: ScreenState): boolean {
  return state.focus.at === 'answer' && isReviewing(state);
}

/** What takes a decision, or is sent by one key, is seen anew first. */
export function unseen(state: ScreenState): ScreenState {
  return {
    ...state,
    focus: isSendingAtOnce(state) ? { at: 'arming', dropped: 0 } : disarmed(state.focus),
  };
}

/** The screen after a text that is pasted. */
export function takePaste(before: ScreenState, text: string): ScreenState {
  // On a card it was meant for something else: so is what is typed behind it.
  if (!isTyping(before) || isSendingAtOnce(before)) return unseen(before);
  const state = atWords(before);
  const draft = currentDraft(state);
  // What is one line stays one.
  const isLine = isOneLine(state.focus);
  const line = isLine ? text.trim().replaceAll(/\s+/g, ' ') : text;
  // What is changed of a call, and what is one line, is seen as it is.
  const isOpen = state.focus.at === 'edit' || isLine;
  const pasted = insertPaste(draft, withoutHiddenButJoiners(line), { isOpen });
  if (pasted === draft && text !== '') {
    return {
      ...state,
      notice: { tone: 'warning', text: `Cannot paste ${text.length} characters: too long for an answer` },
    };
  }
  return withDraft({ ...state, notice: undefined }, pasted);
}

/** What fits on one line stays one: in a box for that no Enter begins another. */
function isOneLine({ at }: Focus): boolean {
  return at === 'filter' || at === 'goal' || at === 'palette' || at === 'help';
}
