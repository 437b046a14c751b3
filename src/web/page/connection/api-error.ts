import { inOneLine } from '../../../errors.ts';
import type { ErrorBody } from '../../api/error-body.ts';
import type { LostRace } from '../../api/decision.ts';
import type { Closing } from '../../api/question.ts';

/** A request that the server has refused, or that did not reach it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string;
  /** What was said to the question by whoever was first. */
  readonly closing: Closing | undefined;
  /** Nothing of it was done, since too much is asked: so long behind that it is asked again, in ms. */
  readonly pauseMs: number | undefined;

  constructor(
    status: number,
    { error, closing }: ErrorBody & Partial<Pick<LostRace, 'closing'>>,
    pauseMs?: number,
  ) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.fix = error.fix;
    this.closing = closing;
    this.pauseMs = pauseMs;
  }
}

/** Why something could not be read, in one line. Where the server was not reached, nothing was to be recorded. */
export function readProblem(error: ApiError): string {
  return error.status === 0 ? error.message : inOneLine(error);
}

/** No reply came, and none is waited for any more: whether anything was recorded is not known. */
export function noReply(): ApiError {
  return lost({
    code: 'NO_REPLY',
    message: 'No reply has come from Clifford',
    fix: 'Whether it was recorded is not known yet: if it was, that is seen here; if not, do it again',
  });
}

/** No connection came about, or it was cut in the middle of the reply. */
export function unreached(): ApiError {
  return lost({
    code: 'OFFLINE',
    message: 'Clifford cannot be reached',
    fix: 'Whether it was recorded is seen when the connection is back; if not, do it again',
  });
}

function lost(error: ErrorBody['error']): ApiError {
  return new ApiError(0, { error });
}
