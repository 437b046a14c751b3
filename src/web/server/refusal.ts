import { CliffordError } from '../../errors.ts';
import type { ErrorBody } from '../api/error-body.ts';
import type { Closing } from '../api/question.ts';
import { IllegalDecision } from '../../workflow/project/illegal-decision.ts';

/** The HTTP statuses of refusals. */
export type RefusalStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 412
  | 413
  | 415
  | 421
  | 428
  | 429
  | 500
  | 503;

/** A request that is not done, and what its sender is told. */
export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly body: ErrorBody & { readonly closing?: Closing };
  /** After how many seconds it is worth another try, where that is known. */
  readonly retryAfterS: number | undefined;

  constructor(
    status: RefusalStatus,
    {
      code,
      message,
      fix,
      closing,
      retryAfterS,
    }: ErrorBody['error'] & {
      readonly closing?: Closing | undefined;
      readonly retryAfterS?: number | undefined;
    },
  ) {
    super(message);
    this.status = status;
    this.retryAfterS = retryAfterS;
    this.body = { error: { code, message, fix }, ...(closing ? { closing } : {}) };
  }
}

/** There is no such thing. */
export function notFound(what: string): Refusal {
  const [message, fix] = [`Cannot find ${what}: there is none`, 'See what there is at /api/state'];
  return new Refusal(404, { code: 'NOT_FOUND', message, fix });
}

/** What an error is for the sender of the request; `undefined`: it is a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof CliffordError)) return undefined;
  const { code, message, fix } = error;
  return new Refusal(statusOf(error), { code, message, fix });
}

function statusOf(error: CliffordError): RefusalStatus {
  if (error instanceof IllegalDecision) return 409;
  if (error.code === 'NOT_A_HUMAN') return 403;
  if (error.code === 'FILES_CHANGED') return 412;
  if (/_UNKNOWN$|^NO_HISTORY$/.test(error.code)) return 404;
  if (error.recovery === 'give-up') return 409;
  // What was asked is not what is wrong.
  const isOurs = /^LOG_|^TOKENS_UNREADABLE$/.test(error.code);
  return error.recovery === 'fix-input' && !isOurs ? 400 : 503;
}
