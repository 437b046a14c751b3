import type { ProjectState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';

/** The number that a task has while it is worked on beside others, in its worktree or by another worker: its ports follow from it. */
export function slotOf({ worktree, offer }: Pick<TaskState, 'worktree' | 'offer'>): number | undefined {
  return worktree?.slot ?? offer?.slot;
}

/** The first number from 1 that no task has. */
export function freeSlot(streams: ProjectState['streams']): number {
  const tasks = streams.loaded().flatMap((sprint) => [...sprint.tasks.values()]);
  const taken = new Set(tasks.map(slotOf));
  for (let slot = 1; ; slot += 1) if (!taken.has(slot)) return slot;
}
