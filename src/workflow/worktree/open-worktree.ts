import type { EventData } from '../../events/catalog.ts';
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
 * Looks whether a worktree that was worked in is there. Locks that killed programs have left in it are removed, at which git would
 * fail. Nothing of its task may run.
 *
 * @returns what of it is there still, and the commit that it can be made again of; `undefined`: it is there.
 * @throws {CliffordError} `UNCOMMITTED` when git does not know its folder any more: somebody's work may be in it.
 */
export async function goneOf(
  project: Pick<Project, 'root' | 'dir' | 'state'>,
  known: WorktreeState,
  signal: AbortSignal,
): Promise<EventData<'worktree.remade'> | undefined> {
  const worktree = await openWorktree(project, known, signal);
  if (await withWorktreesLock(project, () => worktree.isThere(), signal)) {
    await worktree.removeLocks();
    return undefined;
  }
  worktree.assertNoFolder();
  const tip = await worktree.tip();
  return { kept: tip === undefined ? 'nothing' : 'branch', sha: tip ?? known.base };
}
