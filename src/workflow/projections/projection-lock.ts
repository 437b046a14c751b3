import { lockFile } from '../project/lock-file.ts';
import { CliffordError } from '../../errors.ts';
import { withLock } from '../../lib/files/kernel-lock.ts';

const FIX = 'Do not decide it again: once the lock can be had, the files are brought up to date';

/**
 * Runs `work`, which writes files that follow the log, under the lock of that name: of several writers
 * the last one writes the newest.
 *
 * @param dir - The project's `.clifford`.
 * @param waitMs - How long to wait for the lock. Default as {@link withLock}.
 * @throws {CliffordError} `PROJECTION_UNWRITABLE` when the lock cannot be had.
 */
export async function underProjectionLock<T>(
  {
    dir,
    name,
    fix = FIX,
    waitMs,
  }: { dir: string; name: 'projections' | 'changelog'; fix?: string; waitMs?: number },
  work: () => Promise<T>,
): Promise<T> {
  let isHeld = false;
  try {
    return await withLock(
      lockFile(dir, `${name}.lock`),
      () => {
        isHeld = true;
        return work();
      },
      waitMs === undefined ? {} : { waitMs },
    );
  } catch (cause) {
    if (isHeld || !(cause instanceof CliffordError)) throw cause;
    // Its own advice is to try again. What is written here was decided before, and stands.
    throw new CliffordError(`${cause.message}; what was decided is in the log`, {
      code: 'PROJECTION_UNWRITABLE',
      fix,
      recovery: 'give-up',
      cause,
    });
  }
}
