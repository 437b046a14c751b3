import type { SentQuestion } from '../../../api/question.ts';

const known = new WeakMap<SentQuestion, string>();

/** All that is shown of a call before it is decided on, in a line behind its id: with another one it is to be read anew. */
export function shownOfCall(question: SentQuestion): string {
  const { id, call, command, offer, reason, seen, comparison } = question;
  const shown =
    known.get(question) ?? `${id} ${JSON.stringify([call, command, offer, reason, seen, comparison])}`;
  known.set(question, shown);
  return shown;
}
