import type { SprintState } from '../../machines/project-state.ts';
import { readyTasks } from '../../machines/ready-tasks.ts';
import { notStarted } from '../../views/sprints/failure-text.ts';
import type { RunnerView } from './runner-view.ts';

/** A task has failed, and no other is to be started then. */
export function hasFailedFast({ policy }: Pick<RunnerView, 'policy'>, sprint: SprintState): boolean {
  return policy.failFast && sprint.tally.failed > 0;
}

/** A task has failed, and no other can go on, or is to go on. */
export function hasFailed(view: Pick<RunnerView, 'policy'>, sprint: SprintState): boolean {
  const { failed, active, blocked } = sprint.tally;
  if (failed === 0) return false;
  return hasFailedFast(view, sprint) || active + blocked + readyTasks(sprint).length === 0;
}

/** Why a sprint is complete. */
export function completionOf(sprint: SprintState): string {
  const isPartial = [...sprint.tasks.values()].some(({ setAside }) => setAside !== undefined);
  return isPartial ? 'no task is left' : 'all tasks are done';
}

/** Who cancelled a sprint, and why. */
export function cancellationOf({ setAside }: SprintState): string {
  if (!setAside) return 'it was cancelled';
  const { by, reason } = setAside;
  return `it was cancelled by ${by}${reason === undefined ? '' : `: ${reason}`}`;
}

/** Why no task is left that could start although some are pending. */
export function deadEnd(sprint: SprintState): string {
  return `no task can start: ${notStarted(sprint)}`;
}

/** What a human has to answer before the sprint goes on. */
export function questionsOf(sprint: SprintState): string {
  const open = [...sprint.requests.values()].filter(({ phase }) => phase === 'open');
  const listed = open.map(
    ({ asked, taskId }) => `${taskId ?? asked.task ?? 'the sprint'}: ${asked.question}`,
  );
  return `a human has to answer ${listed.join('; ')}`;
}
