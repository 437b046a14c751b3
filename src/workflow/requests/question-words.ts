import type { Asked } from '../../machines/project-state.ts';

/** What a question is known by when it is asked again: its words, with those of each question of a form. */
export function questionWords(
  { question, questions = [] }: Pick<Asked, 'question' | 'questions'>,
  as: (text: string) => string = (text) => text,
): string {
  const words = [question, ...questions.flatMap((each) => [each.title, each.question ?? ''])];
  return words.map((text) => normalise(as(text))).join('\n');
}

/** The words that make a question: spaces and case do not make another one. */
export function normalise(question: string): string {
  return question.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
