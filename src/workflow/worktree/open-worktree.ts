import type { EventData } from '../../events/catalog.ts';
import { WorktreeKeeper, type KeepingProject, type KnownWorktree } from './keeper.ts';
import { requireWhole } from './require-whole.ts';
import { TaskWorktree } from './task-worktree.ts';
import { worktreeFolder } from './work-folder.ts';
import { withWorktreesLock } from './worktrees-lock.ts';

/** The worktree that the log knows of. `signal` ends git. */
export function openWorktree(
  project: KeepingProject,
  known: KnownWorktree,
  signal: AbortSignal,
): Promise<TaskWorktree> {
  const folder = worktreeFolder(project, known) ?? project.root;
  const keeper = new WorktreeKeeper(project, known, signal);
  return TaskWorktree.at({ ...known.worktree, folder }, { cwd: project.root, env: {}, signal, keeper });
}

/**
 * Looks whether a worktree that was worked in is there. Locks that killed programs have left in it are removed, at which git would
 * fail. Nothing of its task may run.
 *
 * @returns what of it is there still, and the commit that it can be made again of; `undefined`: it is there.
 * @throws {CliffordError} `UNCOMMITTED` when git does not know its folder any more: somebody's work may be in it.
 */
export async function goneOf(
  project: KeepingProject,
  known: KnownWorktree,
  signal: AbortSignal,
): Promise<EventData<'worktree.remade'> | undefined> {
  await requireWhole(project, known.worktree, { signal, withTarget: false });
  const worktree = await openWorktree(project, known, signal);
  if (await withWorktreesLock(project, () => worktree.isThere(), signal)) {
    await worktree.removeLocks();
    return undefined;
  }
  worktree.assertNoFolder();
  const tip = await worktree.tip();
  return { kept: tip === undefined ? 'nothing' : 'branch', sha: tip ?? known.worktree.base };
}
