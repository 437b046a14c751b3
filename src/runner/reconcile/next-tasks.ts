import type { SprintState, TaskState } from '../../machines/project-state.ts';
import { parkedSince } from '../../machines/parked.ts';
import { readyTasks } from '../../machines/ready-tasks.ts';
import { wordOf } from '../../machines/status-words.ts';
import { startsAfter } from '../plan/next-agent.ts';
import { awaitsHuman } from './run-facts.ts';
import type { RunnerView } from './runner-view.ts';

/** The tasks whose next attempt may start now, no more than there is room for. */
export function nextTasks(sprint: SprintState, view: RunnerView): readonly string[] {
  return queuedTasks(sprint, view)
    .filter((task) => startsAfter(task, view) <= view.now)
    .map(({ id }) => id);
}

/**
 * The tasks whose turn it is, as many as there is room for: first those that were begun and have no agent, then
 * those that are ready, in the manifest's order, and at last those that an agent no runner started has taken up,
 * when nothing else is left to do.
 *
 * A task holds its place while it waits for a retry or a usage limit: one at a time means that a later task does not
 * overtake it. One that waits for a human stops no other, except where what an agent leaves is checked or committed:
 * there an agent that lives holds its place, since after the answer two would change the files at once. So does one that is
 * parked, which has left its work half done.
 */
export function queuedTasks(sprint: SprintState, view: RunnerView): readonly TaskState[] {
  const { policy } = view;
  // A task that is being prepared or verified has its place already.
  const jobs = view.jobs.filter(({ kind }) => kind !== 'commit');
  const runs = [...view.runs, ...jobs];
  const working = view.runs.filter((run) => policy.areFilesJudged || !awaitsHuman(sprint, run));
  const hasRun = (id: string): boolean => runs.some(({ taskId }) => taskId === id);
  const tasks = [...sprint.tasks.values()];

  // Its run may not have ended yet.
  const parked = tasks.filter(({ id }) => policy.areFilesJudged && !hasRun(id)).filter(parkedSince);
  const room = policy.concurrency - working.length - jobs.length - parked.length;
  if (room <= 0) return [];
  const begun = tasks.filter((task) => isUnattended(task) && !hasRun(task.id));
  const own = begun.filter(({ machine }) => !machine.context.byHand);
  const ready = readyTasks(sprint).filter(({ id }) => !hasRun(id));
  const next = [...own, ...ready];
  const byHand = begun.filter(({ machine }) => machine.context.byHand);
  return (next.length > 0 || runs.length > 0 ? next : byHand).slice(0, room);
}

function isUnattended({ machine }: TaskState): boolean {
  return wordOf(machine.value) === 'active' && machine.context.runId === null;
}
