import { looksSecret } from '../../events/secrets/redaction.ts';
import type { Asked, RequestState } from '../../machines/project-state.ts';

/** Stands for what a human has answered and nobody else is to read. */
const HIDDEN = '[not shown: it looks like a secret]';
const TYPED = '[not shown: it was typed at a prompt]';

/** What a human wrote, unless it looks like a secret: it had to reach the agent, and nobody else. */
export function shownWords(words: string): string {
  return looksSecret(words) ? HIDDEN : words;
}

/** The same of an answer: what was typed at a program's prompt may be a password, in whichever language it was asked for. */
export function shownAnswer(
  asked: { readonly kind: Asked['kind']; readonly options?: readonly string[] | undefined } | undefined,
  words: string,
): string {
  const isTyped = asked?.kind === 'prompt' && asked.options?.includes(words) !== true;
  return isTyped ? TYPED : shownWords(words);
}

/** A request as others than its agent may be told of it. */
export function withShownAnswer<T extends Pick<RequestState, 'asked' | 'answer'>>(request: T): T {
  const { asked, answer } = request;
  return answer
    ? { ...request, answer: { ...answer, response: shownAnswer(asked, answer.response) } }
    : request;
}
