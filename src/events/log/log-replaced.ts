import { CliffordError } from '../../errors.ts';

/** Whether what was read is not in the log, or not there just now. */
export function isStale(error: unknown): error is CliffordError {
  return error instanceof CliffordError && error.code === 'CHECKPOINT_STALE';
}

/** Whether what was read is gone for good. */
export function isReplaced(error: unknown): error is CliffordError {
  return error instanceof CliffordError && error.code === 'LOG_REPLACED';
}

/**
 * What this process has read or written is no longer in the log: it was cut, removed or replaced. What was
 * decided from it may never have happened there, so nothing goes on.
 *
 * @param cause - `CHECKPOINT_STALE`, which names the log and how that was found out.
 */
export function logReplaced(cause: CliffordError): CliffordError {
  return new CliffordError(`${cause.message}; the log is another one than was read before`, {
    code: 'LOG_REPLACED',
    fix: 'Bring the log back that was there, or start again with the one that is there now',
    recovery: 'reopen',
    cause,
  });
}
