import { looksSecret } from '../../events/secrets/looks-secret.ts';
import type { RecordedAnswer, RequestState } from '../../machines/project-state.ts';
import { isTyped, type AskedFor } from '../../machines/typed-words.ts';

/** Stands for what a human has answered and nobody else is to read. */
const HIDDEN = '[not shown: it looks like a secret]';
const UNKNOWN = '[not shown: what it answers is not known]';
const TYPED = "[not shown: it answers a program's prompt]";

/** What a human wrote, unless it looks like a secret: it had to reach the agent, and nobody else. */
export function shownWords(words: string): string {
  return looksSecret(words) ? HIDDEN : words;
}

type Said = Pick<RecordedAnswer, 'response' | 'rejected'>;

/**
 * What a human answered, as any face shows it: what was typed at a program's prompt may be a password, in whichever language
 * it was asked for.
 */
export function shownAnswer(asked: AskedFor | undefined, answer: Said): string {
  if (!asked) return UNKNOWN;
  return isTyped(asked, answer) ? TYPED : shownWords(answer.response);
}

/** A request as it may be told of to others than its agent. */
export function withShownAnswer<T extends Pick<RequestState, 'asked' | 'answer'>>(request: T): T {
  const { asked, answer } = request;
  return answer ? { ...request, answer: { ...answer, response: shownAnswer(asked, answer) } } : request;
}
