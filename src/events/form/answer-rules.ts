import type { FormQuestion } from './form.ts';

/** How a question of a form may be answered, where that is not in one way, and has to be. */
export function answerRules({ options, multiple, ownWords, required }: FormQuestion): string {
  return [
    ...(multiple ? ['several may be chosen'] : []),
    ...(options && ownWords === false ? ['only its options'] : []),
    ...(required === false ? ['optional'] : []),
  ].join(', ');
}
