/** A question that waits for a human. `task` and `reason` are empty when the asker named none. */
export type Block = {
  readonly requestId: string;
  readonly task: string;
  readonly reason: string;
  readonly question: string;
};

/** What became of an answer. */
export type AnswerOutcome =
  | { readonly accepted: true; readonly response: string }
  /** Someone was first: `by` answered with `response`, or dismissed the question. */
  | {
      readonly accepted: false;
      readonly because: 'answered' | 'dismissed';
      readonly by: string;
      readonly response?: string;
    }
  /** No request has that id. */
  | { readonly accepted: false; readonly because: 'unknown' };
