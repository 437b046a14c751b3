import type { FormAnswer, FormQuestion } from './form.ts';

/** The answer to a question by the words of its question and options, for whoever has only those. */
export type LabelledAnswer = {
  readonly title: string;
  readonly chosen: readonly string[];
  readonly words?: string;
};

/** The answers to a form, one for each question, in order; one without an answer has nothing chosen. */
export function labelledAnswers(
  questions: readonly FormQuestion[],
  answers: readonly FormAnswer[],
): LabelledAnswer[] {
  return questions.map(({ title, options = [] }, at) => {
    const given = answers.find(({ question }) => question === at);
    const chosen = given?.options.flatMap((option) => options[option]?.label ?? []) ?? [];
    return { title, chosen, ...(given?.words === undefined ? {} : { words: given.words }) };
  });
}
