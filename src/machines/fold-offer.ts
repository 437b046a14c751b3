import type { EventData } from '../events/catalog.ts';
import type { StoredEvent } from '../events/envelope.ts';
import { casesByType } from './cases.ts';
import type { TaskOffer, TaskState } from './task-state.ts';
import { countUnfit } from './unfit.ts';
import { nameOf, wordOf } from './status-words.ts';
import { isOpenWorktree } from './worktree-state.ts';

/** What an event says about the offer of a task to other workers. */
export function foldOffer(task: TaskState, event: StoredEvent): void {
  cases.get(event.type)?.(event, task);
}

const cases = casesByType<[task: TaskState]>({
  'offer.made'({ data: { base, needs }, time: at }, task) {
    task.offer = { base, needs, phase: 'open', at, losses: 0 };
  },
  'offer.taken'({ data, time: at }, task) {
    const { offer } = task;
    if (!offer) return;
    const losses = offer.phase === 'taken' ? offer.losses + 1 : offer.losses;
    task.takes = (task.takes ?? 0) + 1;
    task.offer = { ...offer, slot: undefined, after: undefined, ...data, phase: 'taken', at, losses };
  },
  'offer.returned'({ data: { worker, reason, unfit }, time: at }, task) {
    const { offer } = task;
    if (!isHolder(offer, worker)) return;
    const open = { ...offer, phase: 'open', at, worker: undefined, slot: undefined } as const;
    task.offer = unfit
      ? { ...open, unfit: countUnfit(offer.unfit, { worker, reason, unfit }) }
      : { ...open, losses: 0, unfit: undefined };
  },
  'task.started'(_, task) {
    if (task.offer?.unfit) task.offer = { ...task.offer, unfit: undefined };
  },
  'offer.ended'({ data: { worker, sha }, time: at }, task) {
    const { offer } = task;
    if (isHolder(offer, worker)) task.offer = { ...offer, phase: 'ended', at, sha, slot: undefined };
  },
  'offer.unmerged'({ time: at }, task) {
    if (task.offer?.sha !== undefined) task.offer = { ...task.offer, phase: 'ended', at };
  },
  // Who takes the sprint next may find somebody for what nobody could do.
  'job.ended'(_, task) {
    const { offer, machine } = task;
    const isRefused = offer?.phase === 'ended' && offer.sha === undefined && wordOf(machine.value) !== 'done';
    if (isRefused) task.offer = undefined;
  },
  'offer.withdrawn'(_, task) {
    task.offer = undefined;
  },
  'worktree.merged': (_, task) => settle(task),
  'worktree.dropped': (_, task) => settle(task),
  'worktree.stuck'({ data: { requestId, why, reason } }, task) {
    const { offer, worktree } = task;
    if (offer && !worktree) task.offer = { ...offer, stuck: { requestId, why, reason } };
  },
  'worktree.settled'({ data: { how } }, task) {
    if (how === 'drop') settle(task);
    else if (task.offer?.stuck) task.offer = { ...task.offer, stuck: undefined };
  },
  'task.reset': (_, task) => leaveToOwner(task, ['ended', 'settled']),
  'task.reopened': (_, task) => leaveToOwner(task, ['ended']),
});

function isHolder(offer: TaskOffer | undefined, worker: string): offer is TaskOffer {
  return offer?.phase === 'taken' && offer.worker === worker;
}

function settle(task: TaskState): void {
  if (task.offer) task.offer = { ...task.offer, phase: 'settled' };
}

/**
 * What comes next is the sprint's worker's. Where it goes on with what another one has made, that is known still: its worktree may be lost with
 * its machine.
 */
function leaveToOwner(task: TaskState, phases: readonly TaskOffer['phase'][]): void {
  const { offer } = task;
  if (!offer || !phases.includes(offer.phase)) return;
  task.offer = offer.sha !== undefined && isOpenWorktree(task) ? { ...offer, phase: 'settled' } : undefined;
}

/** Whether another worker than that of its sprint works on a task, or may take it. */
export function isElsewhere(task: OfferedTask): boolean {
  const { offer, machine } = task;
  if (offer?.phase === 'taken') return true;
  return offer?.phase === 'open' && (wordOf(machine.value) !== 'done' || isUnmergedOffer(task));
}

/** What an offer is judged by. */
export type OfferedTask = Pick<TaskState, 'offer' | 'machine' | 'worktree' | 'commit'>;

/** Whether what another worker has made of a completed task is still to be brought here, or to be found to be lost. */
export function isUnmergedOffer({ offer, machine, worktree, commit }: OfferedTask): boolean {
  if (!offer || worktree || nameOf(machine.value) !== 'done.completed') return false;
  if (offer.phase === 'ended') return offer.sha !== undefined;
  return offer.phase === 'taken' || (offer.phase === 'open' && !hasNoChanges({ commit }));
}

/** Its changes were looked for, and there is no commit. */
function hasNoChanges({ commit }: Pick<TaskState, 'commit'>): boolean {
  return commit !== undefined && !('sha' in commit);
}

/** What is said before a worker leaves a task whose changes it has not pushed: completed or not, they are lost. */
export function lostWork(task: OfferedTask | undefined, by: string): readonly EventData<'task.reopened'>[] {
  if (!task || nameOf(task.machine.value) !== 'done.completed' || hasNoChanges(task)) return [];
  return [{ by, reason: 'what a worker made of it is lost: it had not pushed it' }];
}
