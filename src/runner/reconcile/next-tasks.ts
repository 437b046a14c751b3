import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { parkedSince } from '../../machines/parked.ts';
import { readyTasks } from '../../machines/ready-tasks.ts';
import { wordOf } from '../../machines/status-words.ts';
import { areApart } from '../../workflow/config/parallel-settings.ts';
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
 * parked, which has left its work half done. With worktrees nobody changes another one's files: no such task holds a place.
 */
export function queuedTasks(sprint: SprintState, view: RunnerView): readonly TaskState[] {
  const { policy } = view;
  // A task that is being prepared or verified has its place already.
  const jobs = view.jobs.filter(({ kind }) => kind === 'preparation' || kind === 'verification');
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
  const queue = next.length > 0 || runs.length > 0 ? next : byHand;
  return apart(queue, { policy, busy: tasks.filter(({ id }) => hasRun(id)) }).slice(0, room);
}

/** Those that can be under way beside those that are, and beside each other. */
function apart(
  queue: readonly TaskState[],
  { policy, busy }: { readonly policy: RunnerView['policy']; readonly busy: readonly TaskState[] },
): readonly TaskState[] {
  const chosen: TaskState[] = [];
  for (const task of queue)
    if ([...busy, ...chosen].every((other) => mayBeBeside(task, other, policy))) chosen.push(task);
  return chosen;
}

function mayBeBeside(one: TaskState, other: TaskState, { isolation, paths }: RunnerView['policy']): boolean {
  if (isolation === 'paths') return areApart(paths.get(one.id), paths.get(other.id));
  return isolation === 'none' || isByItself(one) || isByItself(other);
}

/** It has a worktree, or gets one: nobody has begun it in the project's own folder. */
export function isByItself({ worktree, isApart, machine }: TaskState): boolean {
  return worktree !== undefined || isApart === true || machine.context.attempt === 0;
}

function isUnattended({ machine }: TaskState): boolean {
  return wordOf(machine.value) === 'active' && machine.context.runId === null;
}
