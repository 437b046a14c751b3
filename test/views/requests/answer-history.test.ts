import { expect, it } from 'vitest';
import { answerHistory } from '../../../src/views/requests/answer-history.ts';

/** A state in which this was said to questions, in order. */
function said(...answers: { response: string; kind?: string; rejected?: true; verdict?: string }[]) {
  const requests = new Map(
    answers.map(({ kind = 'help', ...answer }, at) => [
      `q-${at}`,
      { asked: { kind }, answer: { ...answer, at: `2026-01-31T12:00:0${at}.000Z` } },
    ]),
  );
  // Of a stream nothing else is looked at.
  const state = { streams: { loaded: () => [{ requests }] } };
  return answerHistory(state as unknown as Parameters<typeof answerHistory>[0]);
}

it('has answers once, the newest first', () => {
  expect(said({ response: 'a' }, { response: 'b' }, { response: 'a' })).toEqual(['a', 'b']);
});

it('has nothing that is no answer to a question, or looks like a secret', () => {
  expect(
    said(
      { response: 'hunter2', kind: 'prompt' },
      { response: 'no, because', rejected: true },
      { response: 'ok', kind: 'approval', verdict: 'approved' },
      { response: `sk-${'a1'.repeat(12)}` },
      { response: ' ' },
    ),
  ).toEqual([]);
});
