import type { SprintState, TaskState } from '../machines/project-state.ts';
import { readyTasks } from '../machines/ready-tasks.ts';
import { nameOf, wordOf } from '../machines/words.ts';
import type { RunnerView, RunView } from './runner-view.ts';

/**
 * The tasks whose next attempt may start now, no more than there is room for: first those that were
 * begun and have no agent, then those that are ready, in the manifest's order, and at last those
 * that an agent no runner started has taken up, when nothing else is left to do.
 *
 * A task holds its place while it is blocked or waits for a retry: one at a time means that a later
 * task does not overtake it.
 */
export function nextTasks(sprint: SprintState, view: RunnerView): readonly string[] {
  const { runs, retryAt, now, policy } = view;
  const waiting = (id: string): boolean => (retryAt.get(id) ?? 0) > now;
  const hasRun = (id: string): boolean => runs.some(({ taskId }) => taskId === id);
  const tasks = [...sprint.tasks.values()];

  const begun = tasks.filter((task) => isUnattended(task) && !hasRun(task.id));
  const room = policy.concurrency - runs.length - tasks.filter((task) => holdsPlace(task, view)).length;
  if (room <= 0) return [];
  const own = begun.filter(({ id, machine }) => !machine.context.byHand && !waiting(id));
  const ready = readyTasks(sprint).filter(({ id }) => !hasRun(id));
  const next = [...own, ...ready];
  const byHand = begun.filter(({ machine }) => machine.context.byHand);
  return (next.length > 0 || runs.length > 0 ? next : byHand).slice(0, room).map(({ id }) => id);
}

/** Has no process, and no other task may have its place. */
function holdsPlace({ id, machine }: TaskState, { runs, retryAt, now }: RunnerView): boolean {
  if (runs.some(({ taskId }) => taskId === id) || machine.context.byHand) return false;
  const word = wordOf(machine.value);
  return word === 'blocked' || (word === 'active' && (retryAt.get(id) ?? 0) > now);
}

function isUnattended({ machine }: TaskState): boolean {
  return wordOf(machine.value) === 'active' && machine.context.runId === null;
}

/** The log says that this attempt has ended: its task is done, or another attempt's. */
export function isAttemptOver(sprint: SprintState, { taskId, runId }: RunView): boolean {
  return sprint.tasks.get(taskId)?.machine.context.runId !== runId;
}

/** The task of this run is completed, as opposed to skipped, cancelled or taken away. */
export function hasCompleted(sprint: SprintState, { taskId }: Pick<RunView, 'taskId'>): boolean {
  const task = sprint.tasks.get(taskId);
  return task !== undefined && nameOf(task.machine.value) === 'done.completed';
}

/** A request that this run asked, or that blocks its task, is open. */
export function awaitsHuman(sprint: SprintState, { taskId, runId }: RunView): boolean {
  return [...sprint.requests.values()].some(
    ({ phase, taskId: about, asked }) =>
      phase === 'open' && (about === taskId || asked.origin.runId === runId),
  );
}
