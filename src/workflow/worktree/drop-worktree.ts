import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { mergeOf } from '../../machines/fold-worktree.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { Project } from '../project/project.ts';
import { runElsewhere } from '../project/run-elsewhere.ts';
import { requireTask } from '../task/require-task.ts';
import { isMadeElsewhere } from './worktree-claims.ts';
import { tryUndoUnfinishedLanding } from '../landing/unfinished-landing.ts';

/** What came of giving up a worktree besides that. */
type Dropped = {
  readonly isSkipped: boolean;
  /** It was given up before, on another machine, and is known no more. */
  readonly left?: WorktreeState;
};

/**
 * Gives up what a task has in its worktree: says so in the log, and removes nothing yet. A task that is completed and not merged
 * is skipped by that, unless its sprint is over; one that is not over goes on in a new worktree. One of another machine that is given up already
 * is left to that, and known no more.
 *
 * @throws {CliffordError} `WORKTREE_UNKNOWN`: it has none; `TASK_UNKNOWN`; `SPRINT_RUNNING`: a worker, or a run elsewhere, has its sprint; `UNCOMMITTED`: an unfinished landing cannot be undone.
 */
export async function dropWorktree(
  project: Project,
  { stream, taskId, by }: { readonly stream: string; readonly taskId: string; readonly by: string },
): Promise<Dropped> {
  let dropped: Dropped = { isSkipped: false };
  const problem = await tryUndoUnfinishedLanding(project);
  if (problem !== undefined) throw uncommitted(problem, 'Then give it up');
  await project.dispatch(stream, (state): Candidate[] => {
    dropped = { isSkipped: false };
    const { sprint, task } = requireTask(state, { stream, taskId });
    if (sprint.job) throw isHeld(stream, taskId, sprint.job.worker);
    const runner = runElsewhere(project, sprint);
    if (runner) throw isRunElsewhere(stream, taskId, runner.name);
    if (!task.worktree) throw noWorktree(stream, taskId);
    const subject = subjectOf(stream, taskId);
    if (task.worktree.phase === 'dropped') {
      if (!isMadeElsewhere(project, task.worktree)) return [];
      dropped = { isSkipped: false, left: task.worktree };
      const { path, branch } = task.worktree;
      return [{ type: 'worktree.removed', subject, data: { path, branch, leftBy: by } }];
    }
    const reason = 'its changes were given up';
    const isSkipped = mergeOf(task) !== undefined && wordOf(sprint.machine.value) !== 'done';
    dropped = { isSkipped };
    const skipped: Candidate[] = isSkipped
      ? [
          { type: 'task.reopened', subject, data: { by, reason } },
          { type: 'task.skipped', subject, data: { by, reason } },
        ]
      : [];
    // What was asked of those changes is settled by that.
    const asked = sprint.requests.get(task.worktree.stuck?.requestId ?? '');
    const dismissed: Candidate[] =
      asked?.phase === 'open'
        ? [
            {
              type: 'help.dismissed',
              subject: subjectOf(stream, asked.taskId),
              data: { requestId: asked.id, by, via: 'cli', reason },
            },
          ]
        : [];
    return [...dismissed, ...skipped, { type: 'worktree.dropped', subject, data: { by } }];
  });
  return dropped;
}

/** Its agents may be at work in it, on any machine. */
function isHeld(stream: string, taskId: string, worker: string): CliffordError {
  return new CliffordError(
    `Cannot give up the worktree of task ${taskId} of ${stream}: worker ${worker} has its sprint`,
    {
      code: 'SPRINT_RUNNING',
      fix: `Leave it to that one; or take the sprint from it, also where its machine is lost, with: clifford queue cancel ${printedWord(stream)}`,
      recovery: 'give-up',
    },
  );
}

/** What its agent makes there afterwards would be taken for done. */
function isRunElsewhere(stream: string, taskId: string, runner: string): CliffordError {
  return new CliffordError(
    `Cannot give up the worktree of task ${taskId} of ${stream}: a run on another machine, or in another folder, has its sprint (${runner})`,
    {
      code: 'SPRINT_RUNNING',
      fix: `Have that one leave first, also where its machine is lost, with: clifford stop ${printedWord(stream)}`,
      recovery: 'give-up',
    },
  );
}

function noWorktree(stream: string, taskId: string): CliffordError {
  return new CliffordError(`Cannot give up the worktree of task ${taskId} of ${stream}: it has none`, {
    code: 'WORKTREE_UNKNOWN',
    fix: 'See what there is with: clifford clean --dry-run',
  });
}
