import { answerRules } from '../events/form/answer-rules.ts';
import type { FormOption, FormQuestion } from '../events/form/form.ts';

/**
 * The questions of a form as text: each behind its number, below it its options behind theirs.
 *
 * @param before - How many questions of the form stand before the first of these.
 */
export function formLines(questions: readonly FormQuestion[], before = 0): string[] {
  return questions.flatMap((question, at) => [
    `${before + at + 1}. ${headText(question)}`,
    ...(question.options ?? []).map((option, index) => `   ${index + 1}. ${optionText(option)}`),
  ]);
}

function headText(question: FormQuestion): string {
  const rules = answerRules(question);
  const whole = question.question === undefined ? '' : `: ${question.question}`;
  return `${question.title}${whole}${rules === '' ? '' : ` (${rules})`}`;
}

function optionText({ label, description, recommended }: FormOption): string {
  const mark = recommended ? ' (recommended)' : '';
  return `${label}${mark}${description === undefined ? '' : `: ${description}`}`;
}
