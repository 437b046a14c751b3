import type { EventData } from '../events/catalog.ts';
import type { SprintState } from './project-state.ts';

/** The worker that had a task until the one that has it now took it, or its sprint, since nothing was heard of that one. */
export function lostHolderOf(
  { job, tasks }: Pick<SprintState, 'job' | 'tasks'>,
  taskId: string,
): EventData<'job.taken'>['after'] {
  const offer = tasks.get(taskId)?.offer;
  return offer?.phase === 'taken' ? offer.after : job?.after;
}
