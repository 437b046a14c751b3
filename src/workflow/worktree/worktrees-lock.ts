import { withLock } from '../../lib/files/kernel-lock.ts';
import { lockFile } from '../project/lock-file.ts';
import type { Project } from '../project/project.ts';

/** Longest wait for those who make or remove worktrees, in ms: a checkout of a large repository takes its time. */
const LIMIT_MS = 20 * 60_000;

/**
 * Makes, names or removes worktrees of a project, one at a time: git reads all of them for that, and fails at one that is
 * half made.
 *
 * @throws the reason of `signal` when it aborts meanwhile.
 * @throws {CliffordError} `LOCK_BUSY`, as `withLock` does.
 */
export function withWorktreesLock<T>(
  { dir }: Pick<Project, 'dir'>,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return withLock(lockFile(dir, 'worktrees.lock'), work, { waitMs: LIMIT_MS, signal });
}
