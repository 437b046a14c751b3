import type { Question } from '../../views/sprints/sprint-view.ts';
import {
  chosenAnswer,
  chosenAnswers,
  optionsMarked,
  toggleMark,
  noChoice,
  optionMeant,
  stepChoice,
  type Choice,
  type Words,
} from '../../views/requests/answer-choice.ts';
import { withArea } from '../screen/browsing.ts';
import { currentDraft, draftText, withDraft } from '../drafts/drafts.ts';
import { currentQuestion, isSending, withSending } from '../screen/current-question.ts';
import {
  choosable,
  currentForm,
  isReviewing,
  shownEntry,
  withEntry,
  withForm,
  type Choosable,
} from '../drafts/form-state.ts';
import type { Effect } from '../screen/screen-effect.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { emptyBuffer } from '../text/text-buffer.ts';
import type { Binding, KeyContext, KeyName, Situation } from './binding.ts';
import type { Stroke } from './strokes.ts';

/** Where the person is among the options of the question that is shown. */
export function currentChoice(state: ScreenState): Choice {
  const form = currentForm(state);
  if (form) return form.shown ? shownEntry(form).choice : form.state.review;
  const { choices, current } = state;
  return (current === undefined ? undefined : choices.get(current)) ?? noChoice;
}

/** The words of the box. */
export function currentWords(state: ScreenState): Words {
  return { text: draftText(state), isPasted: currentDraft(state).isPasted };
}

function withChoice(state: ScreenState, choice: Choice): ScreenState {
  const form = currentForm(state);
  if (form?.shown) return withEntry(state, { choice });
  if (form) return withForm(state, form.id, { ...form.state, review: choice });
  const { current, choices } = state;
  return current === undefined ? state : { ...state, choices: new Map(choices).set(current, choice) };
}

/** Keys go to the options, not to the words beside them. */
export function isAtOption(state: ScreenState): boolean {
  if (state.focus.at !== 'answer') return false;
  const form = currentForm(state);
  // Where all answers are looked at there are no words to type.
  return (form !== undefined && !form.shown) || currentChoice(state).at !== undefined;
}

/** Moves among the options, and between them and the words. */
function step(state: ScreenState, by: 1 | -1): ScreenState {
  const { options, isMultiple } = choosable(state);
  const words = currentWords(state);
  const choice = currentChoice(state);
  const numbers = isMultiple && choice.at === undefined ? optionsMarked(options, noChoice, words) : [];
  const marked = numbers.length > 0 ? { marked: numbers } : choice.marked ? { marked: choice.marked } : {};
  const next = withChoice(state, { ...stepChoice(options, choice, { words, by }), ...marked });
  // A number was where the person was: it is no words of theirs.
  const isNumber = choice.at === undefined && optionMeant(options, choice, words) !== undefined;
  return isNumber || numbers.length > 0 ? withDraft(next, emptyBuffer) : next;
}

/** Marks the option where the person is, or takes its mark away; from the words, the first. */
function mark(state: ScreenState): ScreenState {
  const there = isAtOption(state) ? state : step(state, 1);
  const choice = currentChoice(there);
  return choice.at === undefined ? there : withChoice(there, toggled(choosable(there), choice, choice.at));
}

/** Where one is asked for, the mark of another goes. */
function toggled({ isMultiple }: Choosable, choice: Choice, at: number): Choice {
  if (isMultiple || choice.marked?.includes(at)) return toggleMark(choice, at);
  return { at, marked: [at] };
}

/** So many options have a number that is one key. */
const MOST_BY_KEY = 9;

/** The screen after a key that is typed while an option is chosen: a number of one digit goes to another, words are words. */
export function typeAtOption(state: ScreenState, stroke: Stroke): ScreenState | undefined {
  if (!isAtOption(state)) return undefined;
  const { options, isMultiple, hasMarks } = choosable(state);
  const at = 'text' in stroke && /^[1-9]$/.test(stroke.text) ? Number(stroke.text) - 1 : undefined;
  const choice = currentChoice(state);
  // A digit may be the first of two: it is a word, which is what is sent as a number.
  if (at === undefined || at >= options.length || options.length > MOST_BY_KEY) return undefined;
  return withChoice(state, isMultiple ? toggleMark(choice, at) : hasMarks ? { ...choice, at } : { at });
}

/** Goes to an option, or marks it where several may be chosen: nothing is sent. */
export function pickOption(state: ScreenState, at: number): ScreenState {
  const { options, isMultiple, hasMarks } = choosable(state);
  if (options[at] === undefined) return state;
  const asked = withArea<ScreenState>({ ...state, focus: { at: 'answer' } }, 'question');
  const choice = currentChoice(asked);
  const isNumber = optionMeant(options, noChoice, currentWords(asked)) !== undefined;
  const marked = isMultiple ? toggleMark(choice, at) : { at, marked: [at] };
  const picked = withChoice(asked, hasMarks ? marked : { at });
  // A number was where the person was: it is no words of theirs.
  return isNumber ? withDraft(picked, emptyBuffer) : picked;
}

/** Back at the words. */
export function atWords(state: ScreenState): ScreenState {
  return isAtOption(state) ? withChoice(state, { ...currentChoice(state), at: undefined }) : state;
}

const hasOptions = ({ state }: Situation) => choosable(state).options.length > 0;
/** Above the first line of the words are the options; below the last is nothing. */
const isOnFirstLine = ({ state }: Situation) => {
  const { text, cursor } = currentDraft(state);
  return isAtOption(state) || !text.slice(0, cursor).includes('\n');
};
const mayGoDown = (now: Situation) => {
  const { text } = currentDraft(now.state);
  return isAtOption(now.state) || (hasOptions(now) && (text.trim() === '' || isNumber(now.state)));
};

function isNumber(state: ScreenState): boolean {
  const { options } = choosable(state);
  return optionMeant(options, currentChoice(state), currentWords(state)) !== undefined;
}

/** Nothing is typed yet where options are marked. */
function startsMarking({ state }: Pick<Situation, 'state'>): boolean {
  const { options, hasMarks } = choosable(state);
  const isInBox = state.focus.at === 'answer' && !isAtOption(state);
  return isInBox && hasMarks && options.length > 0 && currentDraft(state).text.trim() === '';
}

/** Whether a key in the box goes to the options all the same: a blank is no answer. */
export function isForOptions(state: ScreenState, stroke: Stroke): boolean {
  return 'text' in stroke && stroke.text === ' ' && startsMarking({ state });
}

const mayGoUp = (now: Situation) => hasOptions(now) && isOnFirstLine(now);
/** Space is no text there. */
const maySpace = ({ state }: Situation) =>
  choosable(state).hasMarks && (isAtOption(state) || startsMarking({ state }));
const isMultiple = ({ state }: Situation) => choosable(state).isMultiple;

/** Up among the options. What chooses one has its name beside it: being there does, or Space, one or each of several. */
function upKey(hint: KeyName, when: (now: Situation) => boolean): Binding {
  return {
    keys: ['up'],
    action: (state) => step(state, -1),
    hint,
    help: ['↑/↓', 'go to an option; its number does the same'],
    when: (now) => mayGoUp(now) && when(now),
  };
}

/** Keys that choose an option. */
export const optionKeys: readonly Binding[] = [
  upKey(['↑/↓ Space', 'mark'], (now) => maySpace(now) && isMultiple(now)),
  upKey(['↑/↓ Space', 'choose'], (now) => maySpace(now) && !isMultiple(now)),
  upKey(['↑/↓', 'pick'], ({ state }) => isReviewing(state)),
  upKey(['↑/↓', 'choose'], (now) => !maySpace(now) && !isReviewing(now.state)),
  { keys: ['down'], action: (state) => step(state, 1), when: mayGoDown },
  {
    keys: [' '],
    action: mark,
    help: ['Space', 'choose an option, or take that back, in a form and where several may be chosen'],
    when: maySpace,
  },
];

/** Sends what is chosen, or typed. */
export function submit(state: ScreenState, { emit }: Pick<KeyContext, 'emit'>): ScreenState {
  const question = currentQuestion(state);
  if (!question || isSending(state)) return state;
  const chosen = question.isMultiple ? chosenAnswers : chosenAnswer;
  const answer = chosen(question.options, currentChoice(state), currentWords(state));
  if (!answer) return { ...state, notice: { tone: 'warning', text: nothingYet(question) } };
  const effect: Effect = { type: 'answer', id: question.id, ...answer };
  emit(effect);
  return withSending(state, question.id);
}

function nothingYet({ options, isMultiple }: Question): string {
  const how = isMultiple
    ? 'Mark options with Space, or type'
    : options.length > 0
      ? 'Choose or type'
      : 'Type';
  return `${how} an answer first. Ctrl+X dismisses the question, Ctrl+R rejects it.`;
}
