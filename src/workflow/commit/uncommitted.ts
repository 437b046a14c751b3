import { CliffordError } from '../../errors.ts';

/** What to do where nothing else is known. */
export const BY_HAND = 'Commit it by hand';

/** Why there is no commit of a task: an outcome that is recorded, not an error that ends a run. */
export function uncommitted(reason: string, fix = BY_HAND): CliffordError {
  return new CliffordError(reason, { code: 'UNCOMMITTED', fix, recovery: 'give-up' });
}

/** What is recorded when there is no commit for this reason. Any other error is thrown on. */
export function uncommittedReason(error: unknown): string {
  if (!(error instanceof CliffordError) || error.code !== 'UNCOMMITTED') throw error;
  return error.inOneLine;
}
