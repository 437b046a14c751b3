import { currentDraft, draftText, withDraft } from '../drafts/drafts.ts';
import { currentQuestion } from '../screen/current-question.ts';
import { choosable } from '../drafts/form-state.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { emptyBuffer, type TextBuffer } from '../text/text-buffer.ts';
import { atWords } from './answer-keys.ts';
import type { Binding, KeyContext, Situation } from './binding.ts';

/** An earlier answer stands in the box, and nothing of it was changed. */
function isRecalling(state: ScreenState): boolean {
  const { recall, current } = state;
  return recall !== undefined && recall.id === current && draftText(state) === recall.answers[recall.at];
}

/** The answer before the one that is shown, or the newest. What was typed is there again after the way back. */
function older(state: ScreenState, { emit }: Pick<KeyContext, 'emit'>): ScreenState {
  const words = atWords(state);
  const { recall, current } = words;
  if (recall && isRecalling(words)) return showAnswer(words, recall.at + 1);
  if (current !== undefined) emit({ type: 'recall', id: current });
  return words;
}

function newer(state: ScreenState): ScreenState {
  return state.recall && isRecalling(state) ? showAnswer(state, state.recall.at - 1) : state;
}

function showAnswer(state: ScreenState, at: number): ScreenState {
  const { recall } = state;
  if (!recall) return state;
  if (at < 0) return withDraft({ ...state, recall: undefined }, recall.draft);
  const text = recall.answers[at];
  return text === undefined ? state : withDraft({ ...state, recall: { ...recall, at } }, asWords(text));
}

/** Words of another question name no option of this one. */
function asWords(text: string): TextBuffer {
  return { text, cursor: text.length, isPasted: true };
}

/** The screen with the newest of these answers in the box. */
export function takeRecalled(state: ScreenState, id: string, answers: readonly string[]): ScreenState {
  if (state.focus.at !== 'answer' || state.current !== id) return state;
  const all = [...new Set([...state.unsent, ...answers])];
  if (all.length === 0) return { ...state, notice: { tone: 'info', text: 'Nothing was answered before' } };
  return showAnswer({ ...state, recall: { id, answers: all, at: -1, draft: currentDraft(state) } }, 0);
}

const hasNoOptions = ({ state }: Situation) =>
  currentQuestion(state) !== undefined && choosable(state).options.length === 0;
const isFree = ({ state }: Situation) =>
  isRecalling(state) ||
  (currentDraft(state).text === emptyBuffer.text && currentDraft(state).pastes === undefined);

/** Keys that bring earlier answers back: the arrows, where they choose no option. */
export const recallKeys: readonly Binding[] = [
  {
    keys: ['up'],
    action: older,
    help: ['↑', 'in an empty box, what was answered before; ↓ leads back'],
    when: (now) => hasNoOptions(now) && isFree(now),
  },
  {
    keys: ['alt+up'],
    action: older,
    help: ['Alt+↑', 'the same, where there are options; Alt+↓ leads back'],
  },
  { keys: ['down', 'alt+down'], action: newer, when: ({ state }) => isRecalling(state) },
];
