import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { unmetBy } from '../../machines/ready-tasks.ts';
import { nameOf } from '../../machines/status-words.ts';

/** Tasks whose attempts ran out. */
export function failedTasks(sprint: SprintState): TaskState[] {
  return [...sprint.tasks.values()].filter(({ machine }) => nameOf(machine.value) === 'done.failed');
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

/** The tasks that nobody has begun, and what they wait for. */
export function notStarted(sprint: SprintState): string {
  return [...sprint.tasks.values()]
    .filter(({ machine }) => nameOf(machine.value) === 'pending')
    .map((task) => {
      const { id } = task;
      const waitsFor = unmet(sprint, task);
      return waitsFor.length === 0 ? id : `${id} waits for ${waitsFor.join(' and ')}`;
    })
    .join(', ');
}

function unmet(sprint: SprintState, task: TaskState): string[] {
  return unmetBy(sprint, task).map((id) => {
    const name = nameOf(sprint.tasks.get(id)?.machine.value ?? 'unknown');
    return `${id} (${name.replace(/^done\./, '')})`;
  });
}

/** Why an attempt failed without what nearly all reasons begin with: what the agent said at last, where it said something. */
export function shortFailure(reason: string): string {
  return reason.replace(/^the agent (?:exited with code \d+: )?/, '');
}
