import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { readyTasks, unmetBy } from '../../machines/ready-tasks.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { RunnerView } from './runner-view.ts';

/** Tasks whose attempts ran out. */
export function failedTasks(sprint: SprintState): TaskState[] {
  return [...sprint.tasks.values()].filter(({ machine }) => nameOf(machine.value) === 'done.failed');
}

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

/** A reason to end a run for now, with the tasks that failed in it. */
export function withFailures(sprint: SprintState, reason: string): string {
  return sprint.tally.failed > 0 ? `${reason}; ${failuresOf(sprint)}` : reason;
}

/** Which tasks keep a sprint from going on, and which are not run because of that. Why they failed is told of each. */
export function failureOf(sprint: SprintState): string {
  const failed = failedTasks(sprint).map(({ id }) => id);
  return withRest(sprint, `${failed.join(', ')} failed`);
}

/** The same for who has not seen the tasks fail: with the reason of each. */
export function wholeFailureOf(sprint: SprintState): string {
  return sprint.tally.failed > 0 ? withRest(sprint, failuresOf(sprint)) : (sprint.lastFailure ?? 'it failed');
}

function withRest(sprint: SprintState, failures: string): string {
  const left = notStarted(sprint);
  return left === '' ? failures : `${failures}; not run: ${left}`;
}

function failuresOf(sprint: SprintState): string {
  return failedTasks(sprint)
    .map(({ id, lastFailure, machine: { context } }) => {
      const attempts = context.failures > 1 ? ` after ${context.failures} attempts` : '';
      return `task ${id} failed${attempts}: ${lastFailure ?? 'no reason was given'}`;
    })
    .join('; ');
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

/** The tasks that nobody has begun, and what they wait for. */
function notStarted(sprint: SprintState): string {
  return [...sprint.tasks.values()]
    .filter(({ machine }) => nameOf(machine.value) === 'pending')
    .map((task) => {
      const { id } = task;
      const waitsFor = unmet(sprint, task);
      return waitsFor.length === 0 ? id : `${id} waits for ${waitsFor.join(' and ')}`;
    })
    .join(', ');
}

/** What a human has to answer before the sprint goes on. */
export function questionsOf(sprint: SprintState): string {
  const open = [...sprint.requests.values()].filter(({ phase }) => phase === 'open');
  const listed = open.map(
    ({ asked, taskId }) => `${taskId ?? asked.task ?? 'the sprint'}: ${asked.question}`,
  );
  return `a human has to answer ${listed.join('; ')}`;
}

function unmet(sprint: SprintState, task: TaskState): string[] {
  return unmetBy(sprint, task).map((id) => {
    const name = nameOf(sprint.tasks.get(id)?.machine.value ?? 'unknown');
    return `${id} (${name.replace(/^done\./, '')})`;
  });
}
