import type { StoredEvent } from '../events/envelope.ts';
import { isUnmergedOffer, type OfferedTask } from './fold-offer.ts';
import type { TaskState } from './task-state.ts';
import { nameOf } from './status-words.ts';
import { isOpenWorktree, type WorktreeState } from './worktree-state.ts';

/** What an event says about the worktree of a task. */
export function foldWorktree(task: TaskState, event: StoredEvent): void {
  const { worktree } = task;
  if (event.type === 'worktree.claimed') {
    task.worktree = { ...event.data, claim: event.id, phase: 'claimed' };
    task.isApart = true;
    return;
  }
  if (event.type === 'worktree.kept') task.kept = [...(task.kept ?? []), event.data];
  if (!worktree) return;
  switch (event.type) {
    case 'worktree.remade':
      task.worktree = { ...worktree, claim: event.id, phase: 'claimed' };
      break;
    case 'worktree.prepared':
      task.worktree = { ...worktree, phase: 'ready' };
      break;
    case 'worktree.stuck': {
      const { requestId, why, reason } = event.data;
      const stuck = { requestId, why, reason };
      task.worktree = { ...worktree, phase: 'stuck', stuck, putRightBy: undefined };
      break;
    }
    case 'worktree.settled': {
      const { how, by } = event.data;
      const rounds = (worktree.rounds ?? 0) + (how === 'agent' ? 1 : 0);
      const { stuck: _over, ...rest } = worktree;
      const phase = how === 'drop' ? 'dropped' : 'ready';
      task.worktree = { ...rest, rounds, phase, putRightBy: how === 'again' ? by : undefined };
      break;
    }
    case 'worktree.merged':
      task.worktree = { ...worktree, phase: 'merged', merged: event.data.sha };
      break;
    case 'worktree.dropped':
      task.worktree = { ...worktree, phase: 'dropped' };
      break;
    case 'worktree.removed':
    case 'offer.unmerged':
      task.worktree = undefined;
      break;
    default:
  }
}

/** Whether what a task has in its worktree is merged, or gone on with: it is neither, once the task is skipped or cancelled. */
export function isWorktreeWanted(task: Pick<TaskState, 'worktree' | 'machine'>): boolean {
  const name = nameOf(task.machine.value);
  return isOpenWorktree(task) && name !== 'done.skipped' && name !== 'done.cancelled';
}

/**
 * What a completed task still waits for: its turn to be merged, or what is to be done about that it cannot be.
 * `undefined`: for nothing.
 */
export function mergeOf(task: OfferedTask): 'due' | 'stuck' | undefined {
  if (nameOf(task.machine.value) !== 'done.completed') return undefined;
  if (isUnmergedOffer(task)) return task.offer?.stuck ? 'stuck' : 'due';
  if (!isOpenWorktree(task)) return undefined;
  return task.worktree?.phase === 'stuck' ? 'stuck' : 'due';
}

/** Why that cannot be, and who is asked. `undefined`: nothing keeps it from that. */
export function stuckOf(task: OfferedTask): WorktreeState['stuck'] {
  return mergeOf(task) === 'stuck' ? (task.worktree ?? task.offer)?.stuck : undefined;
}
