import { isElsewhere } from '../../machines/fold-offer.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { readyTasks } from '../../machines/ready-tasks.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import type { RunEnd } from '../sprint/run-end.ts';
import { queuedTasks } from './next-tasks.ts';
import type { Action, RunnerView } from './runner-view.ts';
import type { Share, ShareRules } from './share-rules.ts';

const nothing: Share = { away: [], open: [], due: [], refused: [] };

/** The tasks of a sprint that this runner looks after: to it, no others are there. */
export function ownPart(sprint: SprintState, rules: ShareRules | undefined): SprintState {
  if (!rules) return sprint;
  const tasks = [...sprint.tasks.values()].flatMap((task): TaskState[] => {
    // What it depends on was there when it was offered.
    if (rules.as === 'helper') return task.id === rules.taskId ? [{ ...task, dependsOn: [] }] : [];
    return isElsewhere(task) || isOnlyForOthers(task, rules.foreign) ? [] : [task];
  });
  return { ...sprint, tasks: new Map(tasks.map((task) => [task.id, task])) };
}

/** The tasks of a sprint that its owner leaves to others. */
export function shareOf(sprint: SprintState, rules: ShareRules | undefined): Share {
  if (rules?.as !== 'owner') return nothing;
  const tasks = [...sprint.tasks.values()];
  const ids = (some: readonly TaskState[]) => some.map(({ id }) => id);
  const away = tasks.filter(isElsewhere);
  const foreign = tasks.filter((task) => !isElsewhere(task) && isOnlyForOthers(task, rules.foreign));
  const ready = new Set(ids(readyTasks(sprint)));
  return {
    away: ids(away),
    open: ids(away.filter(({ id, offer }) => offer?.phase === 'open' && !rules.foreign.has(id))),
    due: ids(foreign.filter((task) => mayBeOffered(task) && (ready.has(task.id) || isBegun(task)))),
    refused: ids(foreign.filter(({ offer }) => offer !== undefined)),
    whole: sprint,
  };
}

function isOnlyForOthers(task: TaskState, foreign: ReadonlySet<string>): boolean {
  return foreign.has(task.id) && task.worktree === undefined && wordOf(task.machine.value) !== 'done';
}

/** Whether another worker could go on with a task as the log knows it: nobody was let take it, and nothing of it is only here. */
export function mayBeOffered({ machine, offer, worktree }: TaskState): boolean {
  const isHeld = offer !== undefined || worktree !== undefined || machine.context.byHand;
  return !isHeld && wordOf(machine.value) !== 'done';
}

/** A worker had it that is gone, or has not what it needs any more. */
function isBegun({ machine }: TaskState): boolean {
  const word = wordOf(machine.value);
  return word === 'active' || word === 'blocked';
}

/** Nobody has begun it: in the files here there is nothing of it. */
function isFresh(task: TaskState): boolean {
  return mayBeOffered(task) && task.machine.context.attempt === 0;
}

/**
 * What an owner offers to others beside what it does itself: tasks that are ready and for which it has no room; or takes back what it
 * has room for and nobody has taken.
 *
 * @param own - The tasks that it is about to work on.
 */
export function shareNext(view: RunnerView, sprint: SprintState, own: readonly string[]): Action[] {
  const { share: rules } = view.policy;
  if (rules?.as !== 'owner') return [];
  const { away, open, due } = view.share ?? nothing;
  const isIdle = own.length === 0 && view.runs.length === 0 && view.jobs.length === 0;
  const [back] = isIdle && queuedTasks(sprint, view).length === 0 ? open : [];
  if (back !== undefined) return [{ do: 'withdraw-offer', taskId: back }];
  // One after the other, so that they are taken in this order.
  if (view.now < (view.sharesFrom ?? 0) || view.jobs.some(({ kind }) => kind === 'offer')) return [];
  const isBusy = (id: string) =>
    own.includes(id) ||
    view.runs.some(({ taskId }) => taskId === id) ||
    view.jobs.some(({ taskId }) => taskId === id);
  const spare = readyTasks(sprint).filter((task) => rules.sharable.has(task.id) && isFresh(task));
  const begun = view.jobs.filter(({ kind }) => kind === 'preparation').length;
  const room = rules.total - away.length - begun - own.length - view.runs.length;
  const next = [...due, ...spare.map(({ id }) => id)].find((id) => !isBusy(id));
  return next === undefined || room <= 0 ? [] : [{ do: 'offer-task', taskId: next }];
}

/** The wait until what only others can work on is left to them again; `undefined`: there is nothing, or no reason to wait. */
export function waitToShare({
  share,
  sharesFrom = 0,
  now,
}: RunnerView): (Action & { readonly do: 'wait'; readonly until: number }) | undefined {
  if (!share || share.due.length === 0 || now >= sharesFrom) return undefined;
  return { do: 'wait', for: 'worker', until: sharesFrom };
}

/** How the run of one task ended; `undefined`: it has not. */
export function taskEnd(view: RunnerView, sprint: SprintState): RunEnd | undefined {
  const { share: rules } = view.policy;
  const task = rules?.as === 'helper' ? sprint.tasks.get(rules.taskId) : undefined;
  if (!task || wordOf(task.machine.value) !== 'done') return undefined;
  switch (nameOf(task.machine.value)) {
    case 'done.completed':
      return { outcome: 'completed', reason: `task ${task.id} is done` };
    case 'done.failed':
      return {
        outcome: 'failed',
        reason: `task ${task.id} failed: ${task.lastFailure ?? 'no reason was given'}`,
      };
    default:
      return { outcome: 'cancelled', reason: `task ${task.id} is not wanted any more` };
  }
}
