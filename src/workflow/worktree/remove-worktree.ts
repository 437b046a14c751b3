import { readdirSync, rmdirSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { subjectOf } from '../../events/envelope.ts';
import { isMissing, isRefused } from '../../lib/system-error.ts';
import { inGitTurn } from '../landing/git-turn.ts';
import { WorkTreeSnapshots } from '../commit/snapshot.ts';
import { listed } from '../../lib/text/listed.ts';
import { refOf } from '../git/repository.ts';
import { tryGitAgain } from '../git/try-git-again.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { Project } from '../project/project.ts';
import type { KeepingProject, KnownWorktree } from './keeper.ts';
import { openWorktree } from './open-worktree.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import type { TaskWorktree } from './task-worktree.ts';
import { forgetWorktree, recordOfOwn } from './worktree-claims.ts';
import { withWorktreesLock } from './worktrees-lock.ts';

/**
 * Removes the folder and the branch of a worktree: of one that is merged, if nothing is in it that the branch has not, which it was
 * for. Of one that is given up, what no commit has is kept. A folder that git does not know any more stays. What says that in the log
 * is {@link recordRemoved}.
 *
 * @returns the last commit of its branch.
 * @throws {CliffordError} `UNCOMMITTED`: why it stays.
 */
export async function removeWorktree(
  project: KeepingProject,
  { signal, ...task }: KnownWorktree & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { stream, taskId, worktree: known } = task;
  const worktree = await openWorktree(project, task, signal);
  const tip = await worktree.tip();
  const lookAndRemove = async () => {
    if (known.phase === 'merged') await requireMerged(worktree, known, tip);
    const left = await worktree.remove();
    if (left) throw left;
    return worktree.isTaken();
  };
  const isTaken = await tryGitAgain(() => withWorktreesLock(project, lookAndRemove, signal), signal);
  if (tip !== undefined && !isTaken) await removeBranch(project, { worktree, tip, signal });
  await new WorkTreeSnapshots(project.dir, stream).remove(taskId);
  const parent = dirname(resolve(project.root, known.path));
  for (const folder of [parent, dirname(parent)]) removeEmpty(folder, project.root);
  return tip;
}

/** @throws {CliffordError} `UNCOMMITTED` when something is in it, or on its branch (`tip`), that the branch has not, which it was for. */
async function requireMerged(
  worktree: TaskWorktree,
  known: WorktreeState,
  tip: string | undefined,
): Promise<void> {
  if (tip !== undefined && !(await worktree.isIn(tip, refOf(known.into))))
    throw uncommitted(
      `its branch ${known.branch} has commits that ${known.into} has not`,
      'Merge or remove it by hand',
    );
  // A run that was killed on its way back from the merge has left the files between the two.
  if (tip !== undefined && (await worktree.isThere())) await worktree.undoMerge();
  const left = await worktree.work();
  if (left.length > 0)
    throw uncommitted(
      `files in it were changed after it was merged: ${listed(left)}`,
      `See to them in ${known.path}`,
    );
}

/** Says in the log that a worktree of this folder is gone: `sha` was the last commit of its branch. Nothing is noted of it any more. */
export async function recordRemoved(
  project: Project,
  task: KnownWorktree,
  sha: string | undefined,
): Promise<void> {
  const { path, branch } = task.worktree;
  const subject = subjectOf(task.stream, task.taskId);
  await recordOfOwn(project, task, () => [
    { type: 'worktree.removed', subject, data: { path, branch, sha } },
  ]);
  forgetWorktree(project, task);
}

/** In a turn of its own: what locks all references is left behind by a git that is killed in that. */
async function removeBranch(
  { root, dir }: Pick<Project, 'root' | 'dir'>,
  { worktree, tip, signal }: { worktree: TaskWorktree; tip: string; signal: AbortSignal },
): Promise<void> {
  const place = { cwd: root, env: {}, signal };
  const work = () => worktree.removeBranch(tip);
  // What fails behind it the next turn comes upon, too.
  const turn = () => inGitTurn(place, dir, work, () => undefined);
  await tryGitAgain(turn, signal);
}

/** A folder of ours that is empty now; never one that the project is in. */
function removeEmpty(path: string, root: string): void {
  if (`${root}${sep}`.startsWith(`${path}${sep}`)) return;
  try {
    if (readdirSync(path).length === 0) rmdirSync(path);
  } catch (error) {
    if (!isMissing(error) && !isRefused(error)) throw error;
  }
}
