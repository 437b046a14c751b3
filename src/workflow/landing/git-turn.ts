import { dirname, resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { isHeld, withLock } from '../../lib/files/kernel-lock.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeOwn } from '../../lib/files/write-own.ts';
import { workAndThen } from '../../lib/second-error.ts';
import type { GitPlace } from '../git/git.ts';
import { locksOf, locksSince, removeLocksSince } from '../git/git-locks.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { lockFile } from '../project/lock-file.ts';
import { undoInTurn } from './undo-landing.ts';

/** Longest wait for another one's turn, in ms: hooks may run tests, and a checkout of a large repository takes its time. */
const TURN_LIMIT_MS = 21 * 60_000;

/**
 * Changes the branch that is checked out in the project, and its index: one at a time, so that each change is made on top of
 * the one before. What such a turn has left that was killed goes first: git's own locks, at which git would fail for ever,
 * and an unfinished landing, which would be taken for somebody's changes.
 *
 * @param place - Where git is run: in the project's root, or in the worktree of a task.
 * @param stateDir - The project's `.clifford`.
 * @param tell - Told what fails behind the work.
 * @throws the signal's reason when it aborts.
 * @throws {CliffordError} `UNCOMMITTED` when the turn of another takes too long, or what was left cannot be undone; what
 *   `work` throws.
 */
export async function inGitTurn<T>(
  place: GitPlace,
  stateDir: string,
  work: () => Promise<T>,
  tell: (problem: string) => void,
): Promise<T> {
  const { signal } = place;
  const note = lockFile(stateDir, 'commit.began');
  // In a worktree of its own a task has the only git, and whoever takes it over removes what that has left.
  const isProject = resolve(place.cwd) === dirname(stateDir);
  const turn = async () => {
    if (!isProject) return work();
    const locks = await locksOf(place);
    const isClear = await removeLocksSince(locks, note, signal);
    if (isClear) {
      // An agent may have put anything there.
      removeOwn(note, stateDir);
      await writeOwn(stateDir, note, '');
    }
    const undoAndWork = async () => {
      await undoInTurn(place, stateDir);
      return work();
    };
    const last = () => {
      // Git that is ended by force leaves its locks.
      if (isClear && locksSince(locks, note).length === 0) removeOwn(note, stateDir);
    };
    return workAndThen(undoAndWork, { what: `removing ${note}`, last, signal, tell });
  };
  try {
    return await withLock(lockFile(stateDir, 'commit.lock'), turn, { waitMs: TURN_LIMIT_MS, signal });
  } catch (error) {
    if (!(error instanceof CliffordError) || error.code !== 'LOCK_BUSY') throw error;
    throw uncommitted('another commit or merge in this project took too long');
  }
}

/** Whether nobody has such a turn at this instant. */
export function isTurnFree(stateDir: string): boolean {
  return isHeld(lockFile(stateDir, 'commit.lock')) !== true;
}
