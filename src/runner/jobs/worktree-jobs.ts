import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { tryGitAgain } from '../../workflow/git/try-git-again.ts';
import { uncommittedReason } from '../../workflow/git/uncommitted.ts';
import type { TaskWorktree } from '../../workflow/worktree/task-worktree.ts';
import { recordRemoved, removeWorktree } from '../../workflow/worktree/remove-worktree.ts';
import { isMadeElsewhere, recordOfOwn } from '../../workflow/worktree/worktree-claims.ts';
import { settledCandidates, stuckCandidates, type Stuck } from '../../workflow/worktree/worktree-request.ts';
import { bringHere } from './bring-here.ts';
import { startJob, type JobDeps } from './job-deps.ts';
import { mergeTask } from './merge-task.ts';
import { openTaskWorktree, worktreeOf } from './prepare-worktree.ts';

/** Merges the changes of a completed task into its branch, or says why that cannot be. */
export async function startMerge(deps: JobDeps, taskId: string): Promise<void> {
  const { project, folder } = deps;
  const stream = folder.manifest.id;
  const { onConflict } = await deps.plans.worktrees();
  let stuck: Stuck | undefined;
  let isOpen = false;
  const finish = async () => {
    const what = stuck;
    const say = (sprint: SprintState, task: TaskState) =>
      what ? stuckCandidates(sprint, task, what, { by: deps.by, onConflict }) : [];
    if (isOpen) await recordOfOwn(project, { stream, taskId }, say);
    else
      // What cannot be brought here is in a worktree of another machine still, and asked about all the same.
      await project.dispatch(stream, ({ streams }) => {
        const sprint = streams.get(stream);
        const task = sprint?.tasks.get(taskId);
        return sprint && task ? say(sprint, task) : [];
      });
    deps.memory.toCommit.delete(taskId);
  };
  startJob(deps, { kind: 'merge', taskId, finish }, async ({ signal }) => {
    let worktree: TaskWorktree;
    const open = async () => {
      await bringHere(deps, taskId, signal);
      return openTaskWorktree(deps, taskId, signal);
    };
    try {
      worktree = await tryGitAgain(open, signal);
      isOpen = true;
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      const remedy = `${error.fix}, in ${project.root}`;
      stuck = { why: 'landing', reason: error.message, files: [], remedy };
      return;
    }
    deps.listeners.emit('merge', { task: taskId, into: worktreeOf(deps, taskId).into });
    stuck = await mergeTask(deps, { taskId, worktree, signal });
  });
}

/** Removes the worktree of a task that is merged or given up; that of another machine is that one's to remove. */
export function startRemoval(deps: JobDeps, taskId: string): void {
  const { project, folder, memory, listeners } = deps;
  const stream = folder.manifest.id;
  const known = worktreeOf(deps, taskId);
  if (isMadeElsewhere(project, known)) {
    memory.kept.add(taskId);
    if (existsSync(resolve(project.root, known.path)))
      listeners.emit('problem', `the worktree of task ${taskId} stays: it was not made from this folder`);
    return;
  }
  let removed: { readonly sha: string | undefined } | undefined;
  const finish = async () => {
    if (removed) await recordRemoved(project, { stream, taskId, worktree: known }, removed.sha);
  };
  startJob(deps, { kind: 'removal', taskId, finish }, async ({ signal }) => {
    try {
      removed = { sha: await removeWorktree(project, { stream, taskId, worktree: known, signal }) };
    } catch (error) {
      memory.kept.add(taskId);
      listeners.emit('problem', `the worktree of task ${taskId} stays: ${uncommittedReason(error)}`);
    }
  });
}

/** Does what a human has said about changes that could not be merged. */
export async function settleMerge(deps: JobDeps, taskId: string): Promise<void> {
  const { project, folder, by } = deps;
  const stream = folder.manifest.id;
  await project.dispatch(stream, (state) => {
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get(taskId);
    return sprint && task ? settledCandidates(sprint, task, by) : [];
  });
}
