import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { mergeOf } from '../../machines/fold-worktree.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { Candidate } from '../../machines/legality.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { Project } from '../project/project.ts';
import { requireTask } from '../task/require-task.ts';
import { tryUndoUnfinishedLanding } from '../landing/unfinished-landing.ts';

/**
 * Gives up what a task has in its worktree: says so in the log, and removes nothing yet. A task that is completed and not merged
 * is skipped by that, unless its sprint is over; one that is not over goes on in a new worktree.
 *
 * @throws {CliffordError} `WORKTREE_UNKNOWN`: it has none; `TASK_UNKNOWN`; `UNCOMMITTED`: an unfinished landing cannot be undone.
 */
export async function dropWorktree(
  project: Project,
  { stream, taskId, by }: { readonly stream: string; readonly taskId: string; readonly by: string },
): Promise<void> {
  const problem = await tryUndoUnfinishedLanding(project);
  if (problem !== undefined) throw uncommitted(problem, 'Then give it up');
  await project.dispatch(stream, (state) => {
    const { sprint, task } = requireTask(state, { stream, taskId });
    if (!task.worktree) throw noWorktree(stream, taskId);
    if (task.worktree.phase === 'dropped') return [];
    const subject = subjectOf(stream, taskId);
    const reason = 'its changes were given up';
    const skipped: Candidate[] =
      mergeOf(task) === undefined || wordOf(sprint.machine.value) === 'done'
        ? []
        : [
            { type: 'task.reopened', subject, data: { by, reason } },
            { type: 'task.skipped', subject, data: { by, reason } },
          ];
    return [...skipped, { type: 'worktree.dropped', subject, data: { by } }];
  });
}

function noWorktree(stream: string, taskId: string): CliffordError {
  return new CliffordError(`Cannot give up the worktree of task ${taskId} of ${stream}: it has none`, {
    code: 'WORKTREE_UNKNOWN',
    fix: 'See what there is with: clifford clean --dry-run',
  });
}
