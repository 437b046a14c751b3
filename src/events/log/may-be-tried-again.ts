import { CliffordError } from '../../errors.ts';
import { OutcomeUnknownError } from './outcome-unknown.ts';

/**
 * Whether the same may be recorded once what is in the way has gone, e.g. a full disk: a log that was replaced, or a project that
 * was closed, stays so. After an unknown outcome another handle of the log is there.
 */
export function mayBeTriedAgain(error: unknown): error is CliffordError {
  return (
    error instanceof OutcomeUnknownError || (error instanceof CliffordError && error.recovery === 'retry')
  );
}
