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

/** How a question of a form may be answered, where that is not in one way, and has to be. */
export function answerRules({ options, multiple, ownWords, required }: FormQuestion): string {
  return [
    ...(multiple ? ['several may be chosen'] : []),
    ...(options && ownWords === false ? ['only its options'] : []),
    ...(required === false ? ['optional'] : []),
  ].join(', ');
}

function optionText({ label, description, recommended }: FormOption): string {
  const mark = recommended ? ' (recommended)' : '';
  return `${label}${mark}${description === undefined ? '' : `: ${description}`}`;
}
