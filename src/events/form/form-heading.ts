import type { FormQuestion } from './form.ts';

/** What a form is about whose asker does not say it. */
export function formHeading(questions: readonly Pick<FormQuestion, 'title' | 'question'>[]): string {
  const [only, second] = questions;
  if (only && !second) return only.question ?? only.title;
  return questions.map(({ title }) => title).join(', ');
}
