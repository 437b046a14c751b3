import { CliffordError, inOneLine } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { isRefused, machineTrouble } from '../../lib/system-error.ts';

/** What to do where nothing else is known. */
export const BY_HAND = 'Commit it by hand';

/** What of the machine or the repository keeps git from its work: nothing that an agent could put right in its files. */
export type Trouble = 'lock' | 'disk' | 'permission' | 'signature' | 'moved' | 'branch';

class Uncommitted extends CliffordError {
  readonly trouble: Trouble | undefined;

  constructor(reason: string, fix: string, trouble: Trouble | undefined) {
    super(reason, { code: 'UNCOMMITTED', fix, recovery: 'give-up' });
    this.trouble = trouble;
  }
}

/** Why there is no commit of a task: an outcome that is recorded, not an error that ends a run. */
export function uncommitted(reason: string, fix = BY_HAND, trouble?: Trouble): CliffordError {
  return new Uncommitted(reason, fix, trouble);
}

/** Whether only a human can do something about what was thrown, or about what caused it. */
export function isTrouble(error: unknown): boolean {
  if (machineTrouble(error) !== undefined) return true;
  if (error instanceof Uncommitted && error.trouble !== undefined) return true;
  return error instanceof Error && error.cause !== undefined && isTrouble(error.cause);
}

/** The same where git did not come to its own end: what it was asked is not known, and a new try may tell. */
export function interrupted(reason: string): CliffordError {
  return new CliffordError(reason, { code: 'UNCOMMITTED', fix: 'Try it again', recovery: 'retry' });
}

/** Whether it is that. */
export function isInterrupted(error: unknown): boolean {
  return isUncommitted(error) && error.recovery === 'retry';
}

/** Whether it says why there is no commit. */
export function isUncommitted(error: unknown): error is CliffordError {
  return error instanceof CliffordError && error.code === 'UNCOMMITTED';
}

/**
 * What is recorded when there is no commit for this reason, or since the machine cannot, or does not let us: a full disk, a folder of
 * somebody else's. Any other error is thrown on.
 */
export function uncommittedReason(error: unknown): string {
  if (isUncommitted(error)) return error.inOneLine;
  const isOfSystem = machineTrouble(error) !== undefined || isRefused(error);
  if (error instanceof CliffordError || !isOfSystem) throw error;
  return inOneLine({ message: messageOf(error), fix: 'See to it, and try it again' });
}
