import type { FormQuestion } from '../../events/form/form.ts';
import { noChoice } from '../../views/requests/answer-choice.ts';
import { standingOf, type AnswerDraft, type QuestionStanding } from '../../views/requests/form-draft.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { emptyBuffer, wholeText } from '../text/text-buffer.ts';
import { currentQuestion } from '../screen/current-question.ts';
import type { FormEntry, FormState } from './filled-form.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** The form that is asked, how far it is filled in, and the question that is shown; none: all are looked at. */
export type CurrentForm = {
  readonly id: string;
  readonly questions: readonly FormQuestion[];
  readonly state: FormState;
  readonly shown: FormQuestion | undefined;
};

const noEntry: FormEntry = { choice: noChoice, words: emptyBuffer };

/** The form of the question that is shown, if it is one. */
export function currentForm(
  screen: Pick<ScreenState, 'sprint' | 'current' | 'forms'>,
): CurrentForm | undefined {
  const question = currentQuestion(screen);
  return question && formOf(question, screen.forms);
}

function formOf({ id, questions }: Question, forms: ScreenState['forms']): CurrentForm | undefined {
  if (!questions) return undefined;
  const kept = forms.get(id);
  const entries = questions.map((_, at) => kept?.entries[at] ?? noEntry);
  const at = Math.min(kept?.at ?? 0, hasReview(questions) ? questions.length : questions.length - 1);
  const state = { at, entries, review: kept?.review ?? noChoice };
  return { id, questions, state, shown: questions[at] };
}

/** All answers of a form are looked at, before one key sends them. */
export function isReviewing(screen: Pick<ScreenState, 'sprint' | 'current' | 'forms'>): boolean {
  const form = currentForm(screen);
  return form !== undefined && !form.shown;
}

/** One question alone is sent as it is answered. */
export function hasReview(questions: readonly FormQuestion[]): boolean {
  return questions.length > 1;
}

/** The screen with the form that is shown filled in otherwise. */
export function withForm(screen: ScreenState, id: string, form: FormState): ScreenState {
  return { ...screen, forms: new Map(screen.forms).set(id, form) };
}

/** What was chosen and typed for the question that is shown. */
export function shownEntry({ state: { at, entries } }: CurrentForm): FormEntry {
  return entries[at] ?? noEntry;
}

/** The screen with another choice, or other words, for the question of the form that is shown. */
export function withEntry(screen: ScreenState, changed: Partial<FormEntry>): ScreenState {
  const form = currentForm(screen);
  if (!form?.shown) return screen;
  const { at, entries } = form.state;
  const next = entries.map((entry, index) => (index === at ? { ...entry, ...changed } : entry));
  return withForm(screen, form.id, { ...form.state, entries: next });
}

/** What was filled in, as whoever sends it takes it. */
export function answerDrafts({ state: { entries } }: CurrentForm): AnswerDraft[] {
  return entries.map(({ choice, words }) => ({ chosen: choice.marked ?? [], words: wholeText(words) }));
}

/** Where each question of the form stands. */
export function standings(form: CurrentForm): QuestionStanding[] {
  return standingOf(form.questions, answerDrafts(form));
}

/** What there is to choose from now: the options of a question, or the answers that are looked at. */
export type Choosable = {
  readonly options: readonly string[];
  /** What is said of each, behind it. */
  readonly abouts?: readonly string[];
  readonly isMultiple: boolean;
  /** What is chosen is marked, and being at an option chooses nothing. */
  readonly hasMarks: boolean;
};

/** What there is to choose from in the question that is shown, or in the form's question. */
export function choosable(screen: Pick<ScreenState, 'sprint' | 'current' | 'forms'>): Choosable {
  const form = currentForm(screen);
  if (!form) {
    const { options = [], isMultiple = false } = currentQuestion(screen) ?? {};
    return { options, isMultiple, hasMarks: isMultiple };
  }
  if (!form.shown) return { ...reviewed(standings(form)), isMultiple: false, hasMarks: false };
  const { options = [], multiple = false } = form.shown;
  return {
    options: options.map(({ label }) => label),
    abouts: options.map(({ description, recommended }) =>
      [...(recommended ? ['(recommended)'] : []), ...(description ? [description] : [])].join(' '),
    ),
    isMultiple: multiple,
    hasMarks: true,
  };
}

function reviewed(answers: readonly QuestionStanding[]): Pick<Choosable, 'options' | 'abouts'> {
  return {
    options: answers.map(({ title }) => title),
    abouts: answers.map(
      ({ parts, problem }) => problem ?? (parts.length === 0 ? '(no answer)' : parts.join(', ')),
    ),
  };
}
