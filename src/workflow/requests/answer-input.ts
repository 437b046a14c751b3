import { CliffordError } from '../../errors.ts';
import type { EventData } from '../../events/catalog.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { answerParts, answersText } from '../../events/form/answers-text.ts';
import { checkedAnswers, problemsText } from '../../events/form/checked-answers.ts';
import { questionsOf, type FormAnswer } from '../../events/form/form.ts';
import { answersExample, readAnswersInWords } from '../../events/form/read-answers.ts';
import type { RequestState } from '../../machines/project-state.ts';

/** What somebody says to a question: words, or answers to the questions of a form. */
export type AnswerInput = {
  /** With `rejected` why it is turned down, with `rephrase` what is to be put otherwise. */
  readonly response?: string | undefined;
  readonly option?: number | undefined;
  readonly answers?: readonly FormAnswer[] | undefined;
  readonly rejected?: true | undefined;
  readonly rephrase?: true | undefined;
};

type Recorded = Pick<EventData<'help.answered'>, 'response' | 'option' | 'answers' | 'rejected' | 'rephrase'>;

/**
 * What is recorded of it. Words to a form are read as answers to its questions, and answers to a question that is asked
 * alone are words.
 *
 * @throws {CliffordError} `ANSWERS_UNFIT` when they do not fit the questions, `NOT_A_QUESTION` when a program's prompt is to be
 *   put in other words.
 */
export function recordedWord(request: RequestState, said: AnswerInput): Recorded {
  const { response = '', option, answers, rejected, rephrase } = said;
  if (rejected) return { response, rejected };
  if (rephrase) {
    if (request.asked.kind === 'prompt') throw notRephrased(request);
    return { response, rephrase };
  }
  const isForm = request.asked.questions !== undefined;
  if (!isForm && !answers) return { response, option };
  const questions = questionsOf(request.asked);
  const fitting = fittingAnswers(request, answers ?? answersIn(request, response));
  if (isForm)
    return { response: shortEnough(request, answersText(questions, fitting)), answers: [...fitting] };
  const [only] = fitting;
  const chosen = questions[0] ? answerParts({ ...questions[0] }, only && { ...only, words: undefined }) : [];
  const words = only?.words;
  const lines = [...chosen, ...(words === undefined ? [] : [words])];
  const isOne = words === undefined && only?.options.length === 1;
  return { response: shortEnough(request, lines.join('\n')), ...(isOne ? { option: only?.options[0] } : {}) };
}

function answersIn(request: RequestState, words: string): readonly FormAnswer[] {
  const read = readAnswersInWords(questionsOf(request.asked), words);
  if ('answers' in read) return read.answers;
  throw answersUnfit(request, read.problem);
}

function fittingAnswers(request: RequestState, answers: readonly FormAnswer[]): readonly FormAnswer[] {
  const questions = questionsOf(request.asked);
  const checked = checkedAnswers(questions, answers);
  if ('answers' in checked) return checked.answers;
  throw answersUnfit(request, problemsText(questions, checked.problems));
}

function shortEnough(request: RequestState, text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw answersUnfit(request, `they have ${text.length} characters, and ${MAX_TEXT_LENGTH} is the most`);
}

/** Answers that are none to the questions of a request. `problem`: why, as a clause. */
export function answersUnfit({ id, asked }: RequestState, problem: string): CliffordError {
  const { questions } = asked;
  return new CliffordError(`Cannot answer ${id}: ${problem}`, {
    code: 'ANSWERS_UNFIT',
    fix: questions
      ? `Answer each question by its title, on a line "title: answer", or with: clifford answer ${id} --answers ${answersExample(questions)}`
      : `Answer it with: clifford answer ${id} "…"`,
  });
}

function notRephrased({ id }: RequestState): CliffordError {
  return new CliffordError(`Cannot ask to rephrase ${id}: it is a prompt of a program`, {
    code: 'NOT_A_QUESTION',
    fix: `Answer it with: clifford answer ${id} "…"`,
  });
}
