import type { StoredEvent } from '../events/envelope.ts';
import { foldOffer } from './fold-offer.ts';
import type { SprintState } from './project-state.ts';
import { countUnfit } from './unfit.ts';

/** What an event says of the job that a sprint is in the queue: which worker has it, and since when it waits. */
export function foldJob(sprint: SprintState, event: StoredEvent): void {
  switch (event.type) {
    case 'job.added':
      // A worker may be faster than who says so; one that it was taken from may still be leaving it.
      if (!sprint.job || sprint.leftQueue?.outcome === 'cancelled') sprint.queuedAt = event.time;
      // What was said of it before somebody took it out may be put right since.
      if (sprint.leftQueue) sprint.unfit = undefined;
      sprint.leftQueue = undefined;
      break;
    case 'job.cancelled':
      sprint.queuedAt = undefined;
      sprint.leftQueue = { ...event.data, outcome: 'cancelled', at: event.time };
      break;
    case 'job.taken': {
      const losses = sprint.job ? sprint.job.losses + 1 : (sprint.lossesBefore ?? 0);
      sprint.job = { ...event.data, at: event.time, losses };
      sprint.lossesBefore = undefined;
      sprint.leftQueue = undefined;
      sprint.queuedAt = undefined;
      sprint.isUnpushed = true;
      break;
    }
    case 'job.returned':
      if (sprint.job?.worker !== event.data.worker) break;
      sprint.lossesBefore = (event.data.unfit && sprint.job.losses) || undefined;
      sprint.unfit = event.data.unfit && countUnfit(sprint.unfit, event.data);
      sprint.job = undefined;
      if (!sprint.leftQueue) sprint.queuedAt = event.time;
      break;
    case 'job.ended':
      if (sprint.job?.worker !== event.data.worker) break;
      sprint.job = undefined;
      sprint.unfit = undefined;
      if (event.data.outcome === 'over') sprint.isUnpushed = undefined;
      // It was added again meanwhile.
      else if (sprint.queuedAt === undefined) sprint.leftQueue = { ...event.data, at: event.time };
      for (const each of sprint.tasks.values()) foldOffer(each, event);
      break;
    default:
  }
}
