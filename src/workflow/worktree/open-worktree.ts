import type { WorktreeState } from '../../machines/worktree-state.ts';
import type { Project } from '../project/project.ts';
import { TaskWorktree } from './task-worktree.ts';
import { worktreeFolder } from './work-folder.ts';
import { withWorktreesLock } from './worktrees-lock.ts';

/** The worktree that the log knows of. `signal` ends git. */
export function openWorktree(
  project: Pick<Project, 'root'>,
  known: WorktreeState,
  signal: AbortSignal,
): Promise<TaskWorktree> {
  const folder = worktreeFolder(project, { worktree: known }) ?? project.root;
  return TaskWorktree.at({ ...known, folder }, { cwd: project.root, env: {}, signal });
}

/**
 * Makes a worktree that was worked in fit for work again: its folder, if somebody has removed that, with what its branch
 * has; and without locks that killed programs have left, at which git would fail. Nothing of its task may run.
 *
 * @throws {CliffordError} `UNCOMMITTED`: why it cannot be.
 */
export async function reviveWorktree(
  project: Pick<Project, 'root' | 'dir'>,
  known: WorktreeState,
  signal: AbortSignal,
): Promise<void> {
  const worktree = await openWorktree(project, known, signal);
  const isThere = await withWorktreesLock(project, () => worktree.isThere(), signal);
  if (isThere) await worktree.removeLocks();
  else await withWorktreesLock(project, () => worktree.add(), signal);
}
