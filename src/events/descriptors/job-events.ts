import { z } from 'zod';
import { clip } from '../../lib/text/clip.ts';
import { observation } from '../descriptor.ts';
import { afterText } from './lost-worker.ts';
import { lostWorkerSchema, nameSchema, textSchema, unfitSchema } from '../field-schemas.ts';

/** Why a sprint is out of the queue: its run is over; it cannot be run; too many workers were lost; its commits could not be pushed. */
const jobOutcomes = ['over', 'unusable', 'exhausted', 'unpushed'] as const;

/** Facts about a sprint that workers take from a queue. Subject: the stream. */
export const jobEvents = {
  /** A human has put it into the queue. */
  'job.added': observation({
    data: () => z.strictObject({ by: nameSchema }),
    title: 'Sprint queued',
    text: ({ by }) => `by ${by}`,
    mark: 'sprint',
  }),
  /** A human has taken it out of the queue, and from the worker that has it. */
  'job.cancelled': observation({
    data: () => z.strictObject({ by: nameSchema }),
    title: 'Sprint taken out of the queue',
    text: ({ by }) => `by ${by}`,
    mark: 'sprint',
  }),
  /** A worker has it from now on. One that had it before has not any more, whatever becomes of that one: `after` says which that was. */
  'job.taken': observation({
    data: () => z.strictObject({ worker: nameSchema, after: lostWorkerSchema.optional() }),
    text: ({ worker, after }) => `by worker ${worker}${afterText(after)}`,
    mark: 'sprint',
  }),
  /**
   * The worker has left it: it is in the queue for the next one. `unfit`: that machine could not begin it, as it lacks files; `agreement`: as
   * nobody there has agreed to the commands of those; `work`: as what was made of its tasks is on another machine, which is there.
   */
  'job.returned': observation({
    data: () => z.strictObject({ worker: nameSchema, reason: textSchema, unfit: unfitSchema.optional() }),
    text: ({ worker, reason }) => `by worker ${worker}: ${clip(reason, 300)}`,
    mark: 'sprint',
  }),
  /** It is out of the queue. */
  'job.ended': observation({
    data: () => z.strictObject({ worker: nameSchema, outcome: z.enum(jobOutcomes), reason: textSchema }),
    text: ({ worker, outcome, reason }) => `${outcome}, says worker ${worker}: ${clip(reason, 300)}`,
    mark: ({ outcome }) => (outcome === 'over' ? 'sprint' : 'failure'),
  }),
};
