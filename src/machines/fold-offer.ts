import type { StoredEvent } from '../events/envelope.ts';
import { casesByType } from './cases.ts';
import type { TaskOffer, TaskState } from './project-state.ts';
import { wordOf } from './status-words.ts';

/** What an event says about the offer of a task to other workers. */
export function foldOffer(task: TaskState, event: StoredEvent): void {
  cases.get(event.type)?.(event, task);
}

const cases = casesByType<[task: TaskState]>({
  'offer.made'({ data: { base, needs }, time: at }, task) {
    task.offer = { base, needs, phase: 'open', at, takes: 0, losses: 0 };
  },
  'offer.taken'({ data: { worker, branch }, time: at }, task) {
    const { offer } = task;
    if (!offer) return;
    const losses = offer.phase === 'taken' ? offer.losses + 1 : offer.losses;
    task.offer = { ...offer, phase: 'taken', worker, branch, at, takes: offer.takes + 1, losses };
  },
  'offer.returned'({ data: { worker }, time: at }, task) {
    const { offer } = task;
    if (isHolder(offer, worker)) task.offer = { ...offer, phase: 'open', at, worker: undefined, losses: 0 };
  },
  'offer.ended'({ data: { worker, sha }, time: at }, task) {
    const { offer } = task;
    if (isHolder(offer, worker)) task.offer = { ...offer, phase: 'ended', at, sha };
  },
  'offer.withdrawn'(_, task) {
    task.offer = undefined;
  },
  'worktree.merged': (_, task) => settle(task),
  'worktree.dropped': (_, task) => settle(task),
  'worktree.settled': ({ data: { how } }, task) => void (how === 'drop' && settle(task)),
  // What comes next is the sprint's worker's.
  'task.reset': (_, task) => forgetEnded(task),
  'task.reopened': (_, task) => forgetEnded(task),
});

function isHolder(offer: TaskOffer | undefined, worker: string): offer is TaskOffer {
  return offer?.phase === 'taken' && offer.worker === worker;
}

function settle(task: TaskState): void {
  if (task.offer) task.offer = { ...task.offer, phase: 'settled' };
}

function forgetEnded(task: TaskState): void {
  if (task.offer?.phase === 'ended') task.offer = undefined;
}

/** Whether another worker than that of its sprint works on a task, or may take it. */
export function isElsewhere({ offer, machine }: Pick<TaskState, 'offer' | 'machine'>): boolean {
  return offer?.phase === 'taken' || (offer?.phase === 'open' && wordOf(machine.value) !== 'done');
}

/** Whether what another worker has made of a completed task is still to be brought here. */
export function isUnmergedOffer({ offer, worktree }: Pick<TaskState, 'offer' | 'worktree'>): boolean {
  if (!offer || worktree) return false;
  return offer.phase === 'taken' || (offer.phase === 'ended' && offer.sha !== undefined);
}
