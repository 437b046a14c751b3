import { CliffordError } from '../../errors.ts';

const DECIDED = 'Do not decide it again: make the file writable, and the next decision brings it up to date';

/**
 * The error for a file that should follow the log and cannot be written. Anything but an error of the
 * system or a reason in words is returned as it is.
 */
export function unwritable(path: string, cause: unknown, { fix = DECIDED } = {}): unknown {
  if (cause instanceof CliffordError) return cause;
  const isSystemError = cause instanceof Error && 'code' in cause;
  if (typeof cause !== 'string' && !isSystemError) return cause;
  const reason = typeof cause === 'string' ? cause : cause.message;
  return new CliffordError(`Cannot write ${path}: ${reason}; what was decided is in the log`, {
    code: 'PROJECTION_UNWRITABLE',
    fix,
    recovery: 'give-up',
    cause,
  });
}
