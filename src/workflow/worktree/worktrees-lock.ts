import { withLock } from '../../lib/files/kernel-lock.ts';
import { CHECKOUT_LIMIT_MS } from '../git/git.ts';
import { lockFile } from '../project/lock-file.ts';
import type { Project } from '../project/project.ts';
import { mendWorktreeNotes } from './worktree-notes.ts';

/**
 * Makes, names or removes worktrees of a project, one at a time: git reads all of them for that, and fails at one that is
 * half made. What was left so is mended first.
 *
 * @throws the reason of `signal` when it aborts meanwhile.
 * @throws {CliffordError} `LOCK_BUSY`, as `withLock` does; `UNCOMMITTED` when git fails at a worktree that is of no task.
 */
export function withWorktreesLock<T>(
  project: Pick<Project, 'root' | 'dir' | 'state'>,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const mendAndWork = async () => {
    await mendWorktreeNotes(project, signal);
    return work();
  };
  return withLock(lockFile(project.dir, 'worktrees.lock'), mendAndWork, {
    waitMs: CHECKOUT_LIMIT_MS,
    signal,
  });
}
