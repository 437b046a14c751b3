import { answerRules } from '../../events/form/answer-rules.ts';
import type { FormOption, FormQuestion } from '../../events/form/form.ts';

/** The questions of a form as text: each behind its number, below it its options behind theirs. */
export function formLines(questions: readonly FormQuestion[]): string[] {
  return questions.flatMap((question, at) => [
    `${at + 1}. ${headText(question)}`,
    ...(question.options ?? []).map((option, index) => `   ${index + 1}. ${optionText(option)}`),
  ]);
}

/** One of them, the `at`th from 0, where it is asked alone: its options with their previews. */
export function questionLines(question: FormQuestion, at: number): string[] {
  return [
    `${at + 1}. ${headText(question)}`,
    ...(question.options ?? []).flatMap((option, index) => [
      `   ${index + 1}. ${optionText(option)}`,
      ...(option.preview?.split('\n').map((line) => `      │ ${line}`.trimEnd()) ?? []),
    ]),
  ];
}

/** What may be typed to answer it: `a number, or own words; Enter skips it`. */
export function waysToAnswer({ options, multiple, ownWords, required }: FormQuestion): string {
  const numbers = multiple ? 'numbers, as in 1,3' : 'a number';
  const own = options ? [numbers, ...(ownWords === false ? [] : ['own words'])] : ['own words'];
  return `${own.join(multiple ? '; or ' : ', or ')}${required === false ? '; Enter skips it' : ''}`;
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
