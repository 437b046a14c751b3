import { atWords, isAtOption, isForOptions, submit, typeAtOption } from './answer-keys.ts';
import { decideCall } from './decide-call.ts';
import { submitForm } from './form-keys.ts';
import { edit } from './edit-keys.ts';
import { interrupt, quit, stay, stop } from './interrupt.ts';
import type { Action, KeyContext, PaletteAction, Situation } from './binding.ts';
import { actionOf } from './keymap.ts';
import { inPalette, isOfPalette } from '../palette/run-palette.ts';
import { currentQuestion, isSending, withSending } from '../screen/current-question.ts';
import { currentForm, isReviewing } from '../drafts/form-state.ts';
import type { Room } from '../terminal/room.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import type { Effect } from '../screen/screen-effect.ts';
import { currentDraft, draftText, isTyping, withDraft } from '../drafts/drafts.ts';
import { disarmed, isConfirming, type Focus } from '../screen/focus.ts';
import { withArea } from '../screen/browsing.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import type { Stroke } from './strokes.ts';
import { typeIn } from '../text/text-buffer.ts';
import { clamp } from '../text/clamp.ts';

/** The screen after one key. Answers that one key sends, all of a form, take none before they were seen. */
export function pressKey(before: ScreenState, stroke: Stroke, context: KeyContext): ScreenState {
  const after = press(before, stroke, context);
  const isNew = isReviewing(after) && after.focus.at === 'answer' && !isSeen(before, after);
  return isNew ? { ...after, focus: { at: 'arming', dropped: 0 } } : after;
}

function isSeen(before: ScreenState, { current }: ScreenState): boolean {
  return isReviewing(before) && before.focus.at === 'answer' && before.current === current;
}

function press(before: ScreenState, stroke: Stroke, context: KeyContext): ScreenState {
  const isDropping = before.focus.at === 'arming' || before.focus.at === 'closed';
  const state = isDropping ? before : { ...before, notice: undefined };
  const name = 'key' in stroke ? stroke.key : stroke.text;
  const situation = { state, canScrollQuestion: context.room.questionMax > 0 };
  // In the box letters are text, whatever they do elsewhere.
  const isTyped = isTyping(state) && !isAtOption(state) && !isForOptions(state, stroke) && 'text' in stroke;
  const action = isTyped ? undefined : actionOf(name, situation);
  if (name === 'enter' && isTyping(state) && currentDraft(state).isCut) return withCutSaid(state);
  if (typeof action === 'function') return action(state, context);
  if (isOfPalette(action))
    return inPalette(situation, action, context, (at, next) => pressKey(at, next, context));
  if (action !== undefined) return act(state, action, context);
  if (state.focus.at === 'arming') {
    return { ...state, focus: { at: 'arming', dropped: state.focus.dropped + 1 } };
  }
  // A letter that means nothing here is part of a text that was meant for something else: so is what follows, until a pause.
  if (state.focus.at === 'decide' && isOfText(stroke))
    return { ...state, focus: { at: 'arming', dropped: 1, isStray: true } };
  if (isTooEarly(name, situation))
    return {
      ...state,
      focus: disarmed(state.focus),
      notice: { tone: 'info', text: 'That key came before this could be read: press it again' },
    };
  // The same where one of the next letters would say yes.
  if (isConfirming(state.focus) && isOfText(stroke)) return { ...before, focus: disarmed(state.focus) };
  // One that means nothing takes away nothing that is said: it may have been meant for a card that has just gone.
  if (!isTyping(state)) return before;
  const chosen = typeAtOption(state, stroke);
  if (chosen) return chosen;
  const words = atWords(state);
  const draft = currentDraft(words);
  return 'text' in stroke
    ? withCutSaid(withDraft(words, typeIn(draft, stroke.text)))
    : withDraft(words, edit(draft, stroke.key));
}

/** Says that the end of what is typed is missing. Nothing of it is sent before something was taken away. */
function withCutSaid(state: ScreenState): ScreenState {
  if (!currentDraft(state).isCut) return state;
  const most = MAX_TEXT_LENGTH.toLocaleString('en');
  const text = `Too long: ${most} characters fit, and what you typed after them is missing. Take something away, then Enter sends it`;
  return { ...state, notice: { tone: 'warning', text } };
}

/** A letter; or one that came so soon behind Esc that they are one key. */
function isOfText(stroke: Stroke): boolean {
  return 'text' in stroke || stroke.key.startsWith('alt+');
}

/** It would decide something, were it not so soon after that was asked. */
function isTooEarly(name: string, now: Situation): boolean {
  const { focus } = now.state;
  if (!isConfirming(focus) || focus.isArmed) return false;
  return (
    actionOf(name, { ...now, state: { ...now.state, focus: { ...focus, isArmed: true } } }) !== undefined
  );
}

function act(
  state: ScreenState,
  action: Exclude<Action, PaletteAction>,
  { room, emit }: KeyContext,
): ScreenState {
  switch (action) {
    case 'submit': {
      const form = isSending(state) ? undefined : currentForm(state);
      return form ? submitForm(state, form, { emit }) : submit(state, { emit });
    }
    case 'newline':
      return withCutSaid(withDraft(state, typeIn(currentDraft(state), '\n')));
    case 'close-box':
      return { ...state, focus: { at: 'sprint' } };
    case 'enter-box':
      return isSending(state)
        ? state
        : withArea({ ...state, ...turnedTo(currentQuestion(state), room) }, 'question');
    case 'reject':
      return askForReason(state);
    case 'send-reason':
      return reject(state, emit);
    case 'close-reason':
      return closeReason(state);
    case 'rephrase':
      return askHow(state);
    case 'send-rephrase':
      return rephrase(state, emit);
    case 'close-rephrase':
      return state.focus.at === 'rephrase' ? { ...state, focus: { at: state.focus.back } } : state;
    case 'dismiss':
      return askToDismiss(state);
    case 'confirm':
      return dismiss(state, emit);
    case 'refuse':
      return state.focus.at === 'confirm' ? { ...state, focus: { at: state.focus.back } } : state;
    case 'next-question':
      return showOther(state, 1);
    case 'previous-question':
      return showOther(state, -1);
    case 'question-up':
      return scrollQuestion(state, -room.questionPage, room);
    case 'question-down':
      return scrollQuestion(state, room.questionPage, room);
    case 'line-up':
      return scrollQuestion(state, -1, room);
    case 'line-down':
      return scrollQuestion(state, 1, room);
    case 'question-start':
      return scrollQuestion(state, -state.questionTop, room);
    case 'question-end':
      return scrollQuestion(state, room.questionMax, room);
    case 'read-first':
      // Its end is being painted. A line that is told would push it out of sight.
      return state.questionTop >= room.questionMax ? state : decideCall(state, action, emit);
    case 'stop':
      return quit(state, emit);
    case 'stop-surely':
      return stop({ ...state, focus: { at: 'sprint' } }, 'q', emit);
    case 'go-on':
      return stay(state);
    case 'detach':
      emit({ type: 'detach' });
      return stay(state);
    case 'suspend':
      emit({ type: 'suspend' });
      return state;
    case 'force':
      return interrupt(state, room, emit);
    default:
      return decideCall(state, action, emit);
  }
}

function askForReason(state: ScreenState): ScreenState {
  if (!currentQuestion(state) || isSending(state)) return state;
  const back = state.focus.at === 'answer' ? 'answer' : 'sprint';
  return withArea({ ...state, focus: { at: 'reject', back } }, 'question');
}

function closeReason(state: ScreenState): ScreenState {
  if (state.focus.at !== 'reject') return state;
  const { focus } = state;
  if (focus.back === 'batch') return { ...state, focus: { at: 'batch', isArmed: false, ids: focus.ids } };
  const { back } = focus;
  return { ...state, focus: back === 'arming' ? { at: back, dropped: 0 } : { at: back } };
}

function reject(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  if (state.focus.at !== 'reject' || state.current === undefined) return state;
  const reason = draftText(state);
  if (currentQuestion(state)?.approval) {
    emit({ type: 'deny', id: state.current, ...(reason.trim() === '' ? {} : { reason }) });
    return withSending(state, state.current);
  }
  if (reason.trim() === '') {
    const notice = { tone: 'warning', text: 'Say why first: the agent is told. Esc goes back.' } as const;
    return { ...state, notice };
  }
  emit({ type: 'reject', id: state.current, reason });
  return withSending(state, state.current);
}

function askHow(state: ScreenState): ScreenState {
  if (!currentQuestion(state) || isSending(state)) return state;
  const back = state.focus.at === 'answer' ? 'answer' : 'sprint';
  return withArea({ ...state, focus: { at: 'rephrase', back } }, 'question');
}

function rephrase(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  if (state.focus.at !== 'rephrase' || state.current === undefined) return state;
  emit({ type: 'rephrase', id: state.current, how: draftText(state) });
  return withSending(state, state.current);
}

function askToDismiss(state: ScreenState): ScreenState {
  if (!currentQuestion(state) || isSending(state)) return state;
  const back = state.focus.at === 'answer' ? 'answer' : 'sprint';
  return withArea({ ...state, focus: { at: 'confirm', isArmed: false, back } }, 'question');
}

function dismiss(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  if (state.focus.at !== 'confirm' || !state.focus.isArmed || state.current === undefined) return state;
  emit({ type: 'dismiss', id: state.current });
  return withSending(state, state.current);
}

function showOther(state: ScreenState, by: 1 | -1): ScreenState {
  const { open } = state.sprint;
  const at = open.findIndex(({ id }) => id === state.current);
  const other = open.at((at + by) % open.length);
  // An answer that is being recorded leaves nothing to type.
  const isSent = other !== undefined && state.sending.has(other.id);
  const focus = isSent || state.focus.at === 'sprint' ? ({ at: 'sprint' } as const) : focusOn(other);
  return withArea({ ...state, current: other?.id, questionTop: 0, focus }, 'question');
}

/** Where keys go when a question is turned to: a decision takes none before it was seen. */
function focusOn(question: Question | undefined): Focus {
  return question?.approval ? { at: 'arming', dropped: 0 } : { at: 'answer' };
}

/** The same, and a call is read from its beginning again. What was out of sight, or folded, is as new. */
function turnedTo(
  question: Question | undefined,
  { hidesAsked }: Room,
): Pick<ScreenState, 'focus'> & Partial<ScreenState> {
  if (hidesAsked) return { focus: { at: 'arming', dropped: 0 }, questionTop: 0 };
  return { focus: focusOn(question), ...(question?.approval && { questionTop: 0 }) };
}

/** Moves the question by lines, as far as it goes. */
export function scrollQuestion(state: ScreenState, by: number, { questionMax }: Room): ScreenState {
  return { ...state, questionTop: clamp(state.questionTop + by, 0, questionMax) };
}
