import type { RequestState } from '../../machines/project-state.ts';

/** How a question stands, as `clifford ask --json` says it. */
export type AnswerRecord = {
  readonly requestId: string;
  readonly status: 'answered' | 'rejected' | 'dismissed' | 'waiting';
  readonly answer?: string | undefined;
  /** Index of the option that was chosen, from 0. */
  readonly option?: number | undefined;
  /** Why it was rejected or dismissed. */
  readonly reason?: string | undefined;
  /** Who ended it, and through which face. */
  readonly by?: string;
  readonly via?: string;
};

/** The end of a question. */
export function answerRecord({ id, answer, dismissal }: RequestState): AnswerRecord {
  if (answer?.rejected) {
    return { requestId: id, status: 'rejected', reason: answer.response, by: answer.by, via: answer.via };
  }
  if (answer) {
    const { response, option, by, via } = answer;
    return { requestId: id, status: 'answered', answer: response, option, by, via };
  }
  const { by = 'clifford', via = 'log', reason } = dismissal ?? {};
  return { requestId: id, status: 'dismissed', reason, by, via };
}

/** A question that is still open. */
export function waitingRecord({ id }: RequestState): AnswerRecord {
  return { requestId: id, status: 'waiting' };
}
