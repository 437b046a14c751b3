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

/**
 * Whether a question is about a secret: `asked`: a program asks for one; `named`: somebody's words name one, which may be what is
 * answered. `undefined`: it is not, or it is about a call, which is no question of words.
 */
export function secretIn(asked: Pick<Asked, 'kind' | 'question' | 'questions' | 'approval'>): SecretIn {
  const { kind, question, questions = [], approval } = asked;
  if (approval) return undefined;
  if (asksSecret({ kind, question })) return 'asked';
  const words = [question, ...questions.flatMap(({ title, question: own = '' }) => [title, own])];
  return words.some((each) => secret.test(each)) ? 'named' : undefined;
}

type SecretIn = 'asked' | 'named' | undefined;
