import type { SprintState, TaskState } from '../machines/project-state.ts';
import { readyTasks } from '../machines/ready-tasks.ts';
import { wordOf } from '../machines/words.ts';
import { startsAfter } from './next-agent.ts';
import type { RunnerView } from './runner-view.ts';

/**
 * The tasks whose next attempt may start now, no more than there is room for: first those that were
 * begun and have no agent, then those that are ready, in the manifest's order, and at last those
 * that an agent no runner started has taken up, when nothing else is left to do.
 *
 * A task holds its place while it is blocked or waits for a retry or a usage limit: one at a time means that a later
 * task does not overtake it.
 */
export function nextTasks(sprint: SprintState, view: RunnerView): readonly string[] {
  const { now, policy } = view;
  // A task that is being prepared has its place already.
  const runs = [...view.runs, ...view.jobs.filter(({ kind }) => kind === 'preparation')];
  const hasRun = (id: string): boolean => runs.some(({ taskId }) => taskId === id);
  const tasks = [...sprint.tasks.values()];

  const begun = tasks.filter((task) => isUnattended(task) && !hasRun(task.id));
  const room = policy.concurrency - runs.length - tasks.filter((task) => holdsPlace(task, view)).length;
  if (room <= 0) return [];
  const own = begun.filter((task) => !task.machine.context.byHand && startsAfter(task, view) <= now);
  const ready = readyTasks(sprint).filter(({ id }) => !hasRun(id));
  const next = [...own, ...ready];
  const byHand = begun.filter(({ machine }) => machine.context.byHand);
  return (next.length > 0 || runs.length > 0 ? next : byHand).slice(0, room).map(({ id }) => id);
}

/** Has no process, and no other task may have its place. */
function holdsPlace(task: TaskState, view: RunnerView): boolean {
  const { id, machine } = task;
  if (view.runs.some(({ taskId }) => taskId === id) || machine.context.byHand) return false;
  const word = wordOf(machine.value);
  return word === 'blocked' || (word === 'active' && startsAfter(task, view) > view.now);
}

function isUnattended({ machine }: TaskState): boolean {
  return wordOf(machine.value) === 'active' && machine.context.runId === null;
}
