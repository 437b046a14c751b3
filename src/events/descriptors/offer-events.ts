import { z } from 'zod';
import { clip } from '../../lib/text/clip.ts';
import { observation } from '../descriptor.ts';
import { afterText } from './lost-worker.ts';
import { lostWorkerSchema, nameSchema, textSchema, unfitSchema } from '../field-schemas.ts';

/**
 * What became of an offer: the task is done, in whatever way; it cannot be worked on there; too many workers were lost with it; its
 * commit could not be pushed.
 */
const offerOutcomes = ['done', 'unusable', 'exhausted', 'unpushed'] as const;

/** Facts about a task that the worker of its sprint lets other workers take. Subject: the task. */
export const offerEvents = {
  /** Another worker may take it. `base`: the commit that it begins with, which is pushed. `needs`: labels that a worker has to have. */
  'offer.made': observation({
    data: () => z.strictObject({ worker: nameSchema, base: nameSchema, needs: z.array(nameSchema) }),
    title: 'Task offered',
    text: ({ worker, base, needs }) =>
      `by worker ${worker}, from ${base.slice(0, 12)}${needs.length === 0 ? '' : `, to one with ${needs.join(', ')}`}`,
  }),
  /**
   * A worker has it from now on. One that had it before has not any more: `after` says which that was. `branch`: where its commits are
   * pushed. `slot`: the number that its variables have, see `worktree.claimed`.
   */
  'offer.taken': observation({
    data: () =>
      z.strictObject({
        worker: nameSchema,
        branch: nameSchema,
        slot: z.int().positive().optional(),
        after: lostWorkerSchema.optional(),
      }),
    text: ({ worker, branch, after }) => `by worker ${worker}, on the branch ${branch}${afterText(after)}`,
    projections: ['statuses'],
  }),
  /** The worker has left it: the next one may take it, unless it was taken out of the queue. `unfit`: see `job.returned`. */
  'offer.returned': observation({
    data: () => z.strictObject({ worker: nameSchema, reason: textSchema, unfit: unfitSchema.optional() }),
    text: ({ worker, reason }) => `by worker ${worker}: ${clip(reason, 300)}`,
    projections: ['statuses'],
  }),
  /** It is the sprint's worker's again. `sha`: the commit with its changes, on the branch of the offer. */
  'offer.ended': observation({
    data: () =>
      z.strictObject({
        worker: nameSchema,
        outcome: z.enum(offerOutcomes),
        reason: textSchema,
        sha: nameSchema.optional(),
      }),
    text: ({ worker, outcome, reason }) => `${outcome}, says worker ${worker}: ${clip(reason, 300)}`,
    mark: ({ outcome }) => (outcome === 'done' ? undefined : 'failure'),
    projections: ['statuses'],
  }),
  /** Its merge went with the machine of the sprint's worker, which had not pushed it: what the offer ended with is merged again. */
  'offer.unmerged': observation({
    data: () => z.strictObject({ worker: nameSchema, sha: nameSchema }),
    title: 'Merge lost',
    text: ({ worker, sha }) => `worker ${worker} merges ${sha.slice(0, 12)} again: its merge was not pushed`,
    reaches: { sprint: 'moves' },
    projections: ['statuses'],
  }),
  /** Nobody has taken it, and nobody is to take it any more. */
  'offer.withdrawn': observation({
    data: () => z.strictObject({ worker: nameSchema, reason: textSchema }),
    text: ({ worker, reason }) => `by worker ${worker}: ${clip(reason, 300)}`,
    projections: ['statuses'],
  }),
};
