import { CliffordError } from '../../errors.ts';

const DECIDED = 'Do not decide it again: make the file writable, and it is brought up to date';

/**
 * The error for a file that should follow the log and cannot be written.
 *
 * @throws `cause`, when it is neither an error of the system nor a reason in words: a bug.
 */
export function unwritable(path: string, cause: unknown, { fix = DECIDED } = {}): CliffordError {
  if (cause instanceof CliffordError) return cause;
  const isSystemError = cause instanceof Error && 'code' in cause;
  if (typeof cause !== 'string' && !isSystemError) throw cause;
  return notWritten(path, typeof cause === 'string' ? cause : cause.message, { cause, fix });
}

/** The same where nothing may fail for it, not even for a bug: what was decided is durable. */
export function unwrittenFor(what: string, cause: unknown): CliffordError {
  if (cause instanceof CliffordError) return cause;
  const isSystemError = cause instanceof Error && 'code' in cause;
  return notWritten(what, isSystemError ? cause.message : String(cause), { cause, fix: DECIDED });
}

function notWritten(
  what: string,
  reason: string,
  { cause, fix }: { cause: unknown; fix: string },
): CliffordError {
  return new CliffordError(`Cannot write ${what}: ${reason}; what was decided is in the log`, {
    code: 'PROJECTION_UNWRITABLE',
    fix,
    recovery: 'give-up',
    cause,
  });
}
