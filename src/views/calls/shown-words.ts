import { looksSecret } from '../../events/secrets/redaction.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { asksSecret } from '../requests/asks-secret.ts';

/** Stands for what a human has answered and nobody else is to read. */
const HIDDEN = '[not shown: it looks like a secret]';
const ASKED_FOR = '[not shown: a secret was asked for]';

/** What a human wrote, unless it looks like a secret: it had to reach the agent, and nobody else. */
export function shownWords(words: string): string {
  return looksSecret(words) ? HIDDEN : words;
}

/** The same of an answer: what a program has asked for as a secret, however it looks, is one. */
export function shownAnswer(asked: Parameters<typeof asksSecret>[0] | undefined, words: string): string {
  return asked && asksSecret(asked) ? ASKED_FOR : shownWords(words);
}

/** A request as others than its agent may be told of it. */
export function withShownAnswer<T extends Pick<RequestState, 'asked' | 'answer'>>(request: T): T {
  const { asked, answer } = request;
  return answer
    ? { ...request, answer: { ...answer, response: shownAnswer(asked, answer.response) } }
    : request;
}
