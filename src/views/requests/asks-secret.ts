import type { Asked } from '../../machines/project-state.ts';
import { secretSigns, secretWords } from '../../lib/text/secret-words.ts';

const secret = new RegExp(
  `(?<!\\p{L})(?:${secretWords}|credentials?|private[ -]?key)(?!\\p{L})|${secretSigns}`,
  'iu',
);

/** A program asks for something that should not be kept, as every answer is. Faces warn before it is given. */
export function asksSecret({ kind, question }: Pick<Asked, 'kind' | 'question'>): boolean {
  return kind === 'prompt' && secret.test(question);
}
