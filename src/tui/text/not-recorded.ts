import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import { OutcomeUnknownError } from '../../events/log/outcome-unknown.ts';
import { messageOf } from '../../lib/message-of.ts';
import { codeOf } from '../../lib/system-error.ts';

const full: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

/** Whether this says that nothing more fits on the disk, or into what this user may have of it. */
export function isDiskFull(error: unknown): boolean {
  return full.has(codeOf(error));
}

/**
 * What a person reads whose word could not be recorded, and what they do before they say it once more; without a full stop.
 * `undefined`: it would be in vain.
 */
export function notRecorded(error: unknown): string | undefined {
  if (!mayBeTriedAgain(error)) return undefined;
  if (isDiskFull(error.cause)) return 'Not recorded: the disk is full. Free some space';
  if (error instanceof OutcomeUnknownError && error.code !== 'LOG_UNCONFIRMED')
    return `Not recorded: the log could not be written (${messageOf(error.cause)}). Free disk space or repair the disk`;
  return `Not recorded. ${error.inOneLine.replace(/, then try again$/, '')}`;
}
