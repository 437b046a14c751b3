import { CliffordError, inOneLine } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { machineTrouble } from '../../lib/system-error.ts';

/** What to do where nothing else is known. */
export const BY_HAND = 'Commit it by hand';

/** Why there is no commit of a task: an outcome that is recorded, not an error that ends a run. */
export function uncommitted(reason: string, fix = BY_HAND): CliffordError {
  return new CliffordError(reason, { code: 'UNCOMMITTED', fix, recovery: 'give-up' });
}

/** The same where git did not come to its own end: what it was asked is not known, and a new try may tell. */
export function interrupted(reason: string): CliffordError {
  return new CliffordError(reason, { code: 'UNCOMMITTED', fix: 'Try it again', recovery: 'retry' });
}

/** Whether it is that. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof CliffordError && error.code === 'UNCOMMITTED' && error.recovery === 'retry';
}

/** What is recorded when there is no commit for this reason, or since the machine cannot: a full disk. Any other error is thrown on. */
export function uncommittedReason(error: unknown): string {
  if (error instanceof CliffordError && error.code === 'UNCOMMITTED') return error.inOneLine;
  if (error instanceof CliffordError || machineTrouble(error) === undefined) throw error;
  return inOneLine({ message: messageOf(error), fix: 'See to it, and try it again' });
}
