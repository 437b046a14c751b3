import { withShownAnswer } from '../calls/shown-words.ts';
import type { CloseOutcome } from '../../workflow/requests/close-request.ts';

/** What became of an answer, in plain data. */
export type AnswerOutcome =
  | { readonly accepted: true; readonly response: string }
  /** Someone was first: `by` answered with `response`, or dismissed the question. */
  | {
      readonly accepted: false;
      readonly because: 'answered' | 'dismissed';
      readonly by: string;
      readonly response?: string | undefined;
    }
  /** No question has that id. */
  | { readonly accepted: false; readonly because: 'unknown' };

/**
 * @param response - What was said, for an end that carries no words of its own.
 * @internal
 */
export function answerOutcome(outcome: CloseOutcome, response: string): AnswerOutcome {
  if (outcome.accepted) return { accepted: true, response: outcome.request.answer?.response ?? response };
  if (outcome.request === undefined) return { accepted: false, because: 'unknown' };
  const { answer, dismissal } = withShownAnswer(outcome.request);
  if (answer) return { accepted: false, because: 'answered', by: answer.by, response: answer.response };
  return { accepted: false, because: 'dismissed', by: dismissal?.by ?? 'clifford' };
}
