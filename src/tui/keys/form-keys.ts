import { optionTyped } from '../../lib/text/option-meant.ts';
import {
  draftAnswers,
  withOption,
  withWordsRead,
  type QuestionStanding,
} from '../../views/requests/form-draft.ts';
import { withSending } from '../screen/current-question.ts';
import { currentDraft } from '../drafts/drafts.ts';
import {
  answerDrafts,
  currentForm,
  hasReview,
  shownEntry,
  standings,
  withEntry,
  withForm,
  type CurrentForm,
} from '../drafts/form-state.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { emptyBuffer, wholeText } from '../text/text-buffer.ts';
import { isAtOption } from './answer-keys.ts';
import { only } from './find-binding.ts';
import { openHelp } from './open-help.ts';
import type { Binding, KeyContext, Situation } from './binding.ts';

/**
 * Takes the answer to the question of a form that is shown, and goes on to the next one; sends all of them from where they
 * are looked at. Nothing that was chosen is taken away by it.
 */
export function submitForm(
  before: ScreenState,
  form: CurrentForm,
  { emit }: Pick<KeyContext, 'emit'>,
): ScreenState {
  const picked = form.state.review.at;
  if (!form.shown) return picked === undefined ? send(before, form, emit) : goTo(before, form, picked);
  const state = withTaken(before, { isConfirmed: true });
  const taken = currentForm(state);
  const standing = taken && standings(taken)[form.state.at];
  if (!taken || !standing) return state;
  if (standing.problem !== undefined) return warned(state, problemText(form, standing));
  return hasReview(form.questions) ? goTo(state, taken, form.state.at + 1) : send(state, taken, emit);
}

function send(state: ScreenState, form: CurrentForm, emit: KeyContext['emit']): ScreenState {
  const missing = standings(form).findIndex(({ problem }) => problem !== undefined);
  const standing = standings(form)[missing];
  if (standing) return warned(goTo(state, form, missing), problemText(form, standing));
  const cut = form.state.entries.findIndex(({ words }) => words.isCut);
  if (cut !== -1) return warned(goTo(state, form, cut), 'Too long: its end is missing. Take something away');
  emit({ type: 'answer', id: form.id, answers: draftAnswers(answerDrafts(form)) });
  return withSending(state, form.id);
}

function problemText({ questions }: CurrentForm, { title, problem, parts }: QuestionStanding): string {
  const options = questions.find((each) => each.title === title)?.options;
  const how = options === undefined ? 'Type an answer' : 'Choose an option, or type an answer';
  return parts.length === 0 ? `${how} first. Tab goes on without` : `${title} ${problem}`;
}

function warned(state: ScreenState, text: string): ScreenState {
  return { ...state, notice: { tone: 'warning', text } };
}

/** Shows another question of the form, at what was chosen for it; behind the last one all that was answered. */
function goTo(state: ScreenState, form: CurrentForm, at: number): ScreenState {
  const { entries } = form.state;
  const next = entries.map((entry, index) => {
    const [only, second] = entry.choice.marked ?? [];
    const isAtMark = index === at && entry.words.text === '' && second === undefined;
    return isAtMark ? { ...entry, choice: { ...entry.choice, at: only } } : entry;
  });
  return withForm({ ...state, questionTop: 0 }, form.id, { at, entries: next, review: { at: undefined } });
}

/**
 * The screen with what was typed taken as what it is: no more than the number or the label of an option chooses that.
 * `isConfirmed`: so does being at an option, where one is asked for.
 */
function withTaken(state: ScreenState, { isConfirmed = false } = {}): ScreenState {
  const form = currentForm(state);
  if (!form?.shown) return state;
  const { choice, words } = shownEntry(form);
  const draft = { chosen: choice.marked ?? [], words: wholeText(words) };
  const isAt = isConfirmed && choice.at !== undefined && form.shown.multiple !== true;
  if (isAt && choice.at !== undefined) {
    const { chosen } = withOption(form.shown, draft, choice.at);
    return withEntry(state, { choice: { at: choice.at, marked: chosen } });
  }
  const read = words.isPasted ? draft : withWordsRead(form.shown, draft);
  if (read === draft) return state;
  const at = optionTyped(form.shown.options?.map(({ label }) => label) ?? [], draft.words)?.option;
  return withEntry(state, { choice: { at, marked: read.chosen }, words: emptyBuffer });
}

/** The next question of the form, or the one before; round where they are looked at. */
function turn(state: ScreenState, by: 1 | -1): ScreenState {
  const taken = withTaken(state);
  const form = currentForm(taken);
  if (!form) return state;
  const count = form.questions.length + 1;
  return goTo(taken, form, (form.state.at + by + count) % count);
}

const formNow = ({ state }: Situation) => currentForm(state);
const isLooking = (now: Situation) => formNow(now) !== undefined && formNow(now)?.shown === undefined;
const isPicked = (now: Situation) => isLooking(now) && formNow(now)?.state.review.at !== undefined;
/** Several questions are answered one after the other, and looked at together. */
export const isTurning = (now: Situation) => {
  const form = formNow(now);
  return form !== undefined && hasReview(form.questions);
};
const isAsking = (now: Situation) => isTurning(now) && !isLooking(now);
/** The arrows move in words. */
const isFree = (now: Situation) =>
  isTurning(now) && (isAtOption(now.state) || currentDraft(now.state).text === '');

/** Keys in the box of a form. */
export const formKeys: readonly Binding[] = [
  { keys: ['enter'], action: 'submit', hint: ['Enter', 'change'], when: isPicked },
  {
    keys: ['enter'],
    action: 'submit',
    hint: ['Enter', 'send'],
    help: ['Enter', 'send all answers of a form, once they were looked at'],
    when: isLooking,
  },
  {
    keys: ['enter'],
    action: 'submit',
    hint: ['Enter', 'next'],
    help: ['Enter', 'take the answer to a question of a form, and go on to the next one'],
    when: isAsking,
  },
  {
    keys: ['tab'],
    action: (state) => turn(state, 1),
    hint: ['Tab', 'others'],
    help: ['Tab/⇧Tab', 'to the other questions of a form, and to all its answers'],
    when: isAsking,
  },
  { keys: ['tab'], action: (state) => turn(state, 1), when: isLooking },
  { keys: ['shift+tab'], action: (state) => turn(state, -1), when: isTurning },
  // Elsewhere in the box it is text.
  {
    ...only(isLooking, openHelp),
    help: ['?', 'help, while all answers of a form are looked at; before that it is text'],
  },
  { keys: ['right'], action: (state) => turn(state, 1), when: isFree },
  { keys: ['left'], action: (state) => turn(state, -1), when: isFree },
];
