import { join } from 'node:path';
import { withLock } from '../../lib/files/kernel-lock.ts';
import { CHECKOUT_LIMIT_MS, Git } from '../git/git.ts';
import { commonDirOf } from '../git/repository.ts';
import type { Project } from '../project/project.ts';
import { mendWorktreeNotes } from './worktree-notes.ts';

/** In the folder that all worktrees share: several projects may be in one repository, and the names of branches are its own. */
const LOCK = 'clifford-worktrees.lock';

/**
 * Makes, names or removes worktrees of a repository, one at a time: git reads all of them for that, and fails at one that is
 * half made. What was left so is mended first.
 *
 * @throws the reason of `signal` when it aborts meanwhile.
 * @throws {CliffordError} `LOCK_BUSY`, as `withLock` does; `UNCOMMITTED` when git fails at a worktree that is of no task.
 */
export async function withWorktreesLock<T>(
  project: Pick<Project, 'root' | 'state'>,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const common = await commonDirOf(new Git({ cwd: project.root, env: {}, signal }), project.root);
  // Git says what is wrong where there is no repository.
  if (common === undefined) return work();
  const mendAndWork = async () => {
    await mendWorktreeNotes(project, signal);
    return work();
  };
  return withLock(join(common, LOCK), mendAndWork, { waitMs: CHECKOUT_LIMIT_MS, signal });
}
