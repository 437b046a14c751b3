import { answerParts } from '../../events/form/answers-text.ts';
import { checkedAnswers } from '../../events/form/checked-answers.ts';
import type { FormAnswer, FormQuestion } from '../../events/form/form.ts';
import { isUnseen } from '../../lib/text/hidden-characters.ts';
import { optionsTyped, optionTyped } from '../../lib/text/option-meant.ts';

/** What a person has chosen and typed for one question of a form, and not sent. */
export type AnswerDraft = { readonly chosen: readonly number[]; readonly words: string };

/** How a question of a form stands before it is sent. */
export type QuestionStanding = {
  readonly title: string;
  /** What will be sent, a part each: options, then words. Empty: nothing. */
  readonly parts: readonly string[];
  /** What keeps the form from being sent, as a clause about the question. */
  readonly problem?: string;
};

/** The draft with an option chosen: the only one where one is asked for, else one more. Nothing is taken away by it. */
export function withOption({ multiple }: FormQuestion, draft: AnswerDraft, option: number): AnswerDraft {
  const others = multiple ? draft.chosen.filter((each) => each !== option) : [];
  return { ...draft, chosen: [...others, option].toSorted((one, other) => one - other) };
}

/**
 * The draft once its words are typed: those that are no more than the number or the label of an option choose
 * that; where several may be chosen, `1, 3` chooses each.
 */
export function withWordsRead(question: FormQuestion, draft: AnswerDraft): AnswerDraft {
  const labels = question.options?.map(({ label }) => label) ?? [];
  const one = optionTyped(labels, draft.words)?.option;
  const named = question.multiple ? optionsTyped(labels, draft.words) : one === undefined ? [] : [one];
  const start: AnswerDraft = { ...draft, words: '' };
  return named.length === 0
    ? draft
    : named.reduce((chosen, option) => withOption(question, chosen, option), start);
}

/** The drafts of a form, in the order of its questions, as answers. */
export function draftAnswers(drafts: readonly AnswerDraft[]): FormAnswer[] {
  return drafts.map(({ chosen, words }, question) => ({
    question,
    options: [...chosen],
    ...(isUnseen(words) ? {} : { words }),
  }));
}

/** Where each question of a form stands. It can be sent when none has a problem. */
export function standingOf(
  questions: readonly FormQuestion[],
  drafts: readonly AnswerDraft[],
): QuestionStanding[] {
  const answers = draftAnswers(drafts);
  const checked = checkedAnswers(questions, answers);
  return questions.map((question, at) => {
    const found = 'problems' in checked ? checked.problems.find((each) => each.question === at) : undefined;
    const answer = answers.find((each) => each.question === at);
    return {
      title: question.title,
      parts: answerParts(question, answer),
      ...(found ? { problem: found.problem } : {}),
    };
  });
}
