import type { Asked } from '../../machines/project-state.ts';

const secretWords =
  /\b(?:password|pass ?phrase|passcode|pin|otp|token|secret|credentials?|(?:verification|authentication|authorization|access|security|one-time|2fa) code|(?:api|secret|access|private)[ -]?key)\b/i;

/** A program asks for something that should not be kept, as every answer is. Faces warn before it is given. */
export function asksSecret({ kind, question }: Pick<Asked, 'kind' | 'question'>): boolean {
  return kind === 'prompt' && secretWords.test(question);
}
