import { CliffordError } from '../../errors.ts';
import { changesOfTask, type TaskChanges } from './changes-of-task.ts';
import { BY_HAND, isUncommitted } from '../git/uncommitted.ts';

/**
 * {@link changesOfTask} for where only the message of an error is shown.
 *
 * @throws {CliffordError} why it cannot be told, in sentences, with what can be done about it.
 */
export async function toldChanges(...asked: Parameters<typeof changesOfTask>): Promise<TaskChanges> {
  try {
    return await changesOfTask(...asked);
  } catch (cause) {
    if (!isUncommitted(cause)) throw cause;
    const { message, code, fix, recovery } = cause;
    const why = message.charAt(0).toUpperCase() + message.slice(1);
    throw new CliffordError(fix === BY_HAND ? why : `${why}. ${fix}.`, { code, fix, recovery, cause });
  }
}
