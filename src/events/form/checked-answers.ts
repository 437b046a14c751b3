import { isUnseen } from '../../lib/text/hidden-characters.ts';
import type { FormAnswer, FormQuestion } from './form.ts';

/** What is wrong with the answer to a question, as a clause; `question`: its position, from 0. */
export type FormProblem = { readonly question: number; readonly problem: string };

/** Answers as they are recorded, or what keeps them from it. */
export type CheckedAnswers =
  | { readonly answers: readonly FormAnswer[] }
  | { readonly problems: readonly FormProblem[] };

/**
 * Checks answers against the questions they are for: each that has to be answered is, with what it takes. Answers that
 * say nothing are left out; the others come in the order of the questions, their options in the order of the options.
 */
export function checkedAnswers(
  questions: readonly FormQuestion[],
  answers: readonly FormAnswer[],
): CheckedAnswers {
  const tidy = answers
    .map(tidied)
    .filter(({ options, words }) => options.length > 0 || words !== undefined)
    .toSorted((one, other) => one.question - other.question);
  const problems = [
    ...tidy.flatMap((answer, at) =>
      problemOf(questions[answer.question], answer, tidy[at - 1]?.question === answer.question),
    ),
    ...questions.flatMap(({ required }, question) =>
      required === false || tidy.some((answer) => answer.question === question)
        ? []
        : [{ question, problem: 'has no answer' }],
    ),
  ];
  return problems.length > 0
    ? { problems: problems.toSorted((one, other) => one.question - other.question) }
    : { answers: tidy };
}

function tidied({ question, options, words }: FormAnswer): FormAnswer {
  const chosen = [...new Set(options)].toSorted((one, other) => one - other);
  return { question, options: chosen, ...(words === undefined || isUnseen(words) ? {} : { words }) };
}

function problemOf(
  asked: FormQuestion | undefined,
  { question, options, words }: FormAnswer,
  isSecond: boolean,
): FormProblem[] {
  const said = (problem: string) => [{ question, problem }];
  if (!asked) return said('is not asked');
  if (isSecond) return said('is answered twice');
  const offered = asked.options ?? [];
  const unknown = options.find((option) => option >= offered.length);
  if (unknown !== undefined)
    return said(
      offered.length === 0 ? 'offers no options' : `has no option ${unknown + 1}, only ${offered.length}`,
    );
  if (options.length > 1 && !asked.multiple) return said(`takes one of its options, not ${options.length}`);
  if (words !== undefined && asked.ownWords === false) return said('takes none but its options');
  return [];
}

/** What is wrong with answers, in one line: each question by its title. */
export function problemsText(questions: readonly FormQuestion[], problems: readonly FormProblem[]): string {
  return problems
    .map(({ question, problem }) => `${questions[question]?.title ?? `question ${question + 1}`} ${problem}`)
    .join('; ');
}
