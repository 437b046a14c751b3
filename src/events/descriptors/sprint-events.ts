import { z } from 'zod';
import { count } from '../../lib/text/count.ts';
import { decision } from '../descriptor.ts';
import { nameSchema, taskIdSchema, textSchema } from '../field-schemas.ts';
import { because, byWhom } from '../text-parts.ts';

/** A task as the manifest names it. `file` is relative to the sprint's folder. */
const plannedTaskSchema = z.strictObject({
  id: taskIdSchema,
  file: z.string(),
  dependsOn: z.array(taskIdSchema).optional(),
});

const runOptionsSchema = z.strictObject({
  parallel: z.int().positive().optional(),
  maxAttempts: z.int().positive().optional(),
  failFast: z.literal(true).optional(),
});

/** What somebody who starts a run says of it, besides its agent: each only where it was said. */
export type RunOptions = z.infer<typeof runOptionsSchema>;

/** A task as `sprint.created` and `sprint.amended` carry it. */
export type PlannedTask = z.infer<typeof plannedTaskSchema>;

const ids = (tasks: readonly PlannedTask[]) => tasks.map(({ id }) => id).join(', ');

/** Facts about a whole sprint. Subject: the stream. */
export const sprintEvents = {
  /** `manifest` is the path of manifest.json, relative to the project root, with `/`. */
  'sprint.created': decision({
    data: () =>
      z.strictObject({
        name: z.string(),
        manifest: z.string(),
        tasks: z.array(plannedTaskSchema),
      }),
    verb: 'create',
    text: ({ name, tasks }) => `${name} (${ids(tasks)})`,
    reaches: { sprint: 'moves' },
    projections: ['statuses'],
    mark: 'sprint',
  }),
  /** The manifest gained these tasks. */
  'sprint.amended': decision({
    data: () => z.strictObject({ tasks: z.array(plannedTaskSchema).min(1) }),
    verb: 'add tasks to',
    text: ({ tasks }) => `gained ${ids(tasks)}`,
    reaches: { sprint: 'moves' },
    projections: ['statuses'],
    mark: 'sprint',
  }),
  /**
   * `runner` names who took it up; `maxAttempts` holds until the next start for every task without a limit of its own.
   * `options` are those of the command line that hold for the whole run. `run`, where machines share the log: the folder in which this
   * runner works has a note of it.
   */
  'sprint.started': decision({
    data: () =>
      z.strictObject({
        runner: nameSchema,
        maxAttempts: z.int().positive(),
        limits: z
          .array(z.strictObject({ id: taskIdSchema, maxAttempts: z.int().positive() }))
          .min(1)
          .optional(),
        options: runOptionsSchema.optional(),
        run: nameSchema.optional(),
      }),
    verb: 'start',
    text: ({ runner, maxAttempts, limits = [], options = {} }) =>
      [
        `by ${runner}, ${count(maxAttempts, 'attempt')} per task`,
        ...limits.map((own) => `${own.maxAttempts} for ${own.id}`),
        ...(options.parallel === undefined ? [] : [`${count(options.parallel, 'task')} at once`]),
      ].join(', '),
    reaches: { sprint: 'moves', task: 'every' },
    projections: ['statuses'],
    mark: 'sprint',
  }),
  'sprint.paused': decision({
    data: () => z.strictObject({ by: nameSchema }),
    verb: 'pause',
    text: byWhom,
    reaches: { sprint: 'moves' },
    projections: ['statuses'],
    mark: 'sprint',
  }),
  'sprint.resumed': decision({
    data: () => z.strictObject({ by: nameSchema }),
    verb: 'resume',
    text: byWhom,
    reaches: { sprint: 'moves' },
    projections: ['statuses'],
    mark: 'sprint',
  }),
  /** `by` is `manifest` for a sprint that was done before Clifford saw it. */
  'sprint.completed': decision({
    data: () =>
      z.strictObject({
        by: nameSchema,
        summary: textSchema.optional(),
        runId: nameSchema.optional(),
      }),
    verb: 'complete',
    text: ({ by, summary }) => `by ${by}${because(summary)}`,
    reaches: { sprint: 'moves', request: 'ends' },
    // What was allowed for the sprint ends with it.
    projections: ['statuses', 'rules'],
    mark: 'sprint',
  }),
  'sprint.failed': decision({
    data: () => z.strictObject({ reason: textSchema }),
    verb: 'fail',
    text: ({ reason }) => reason,
    reaches: { sprint: 'moves' },
    projections: ['statuses'],
    mark: 'failure',
  }),
  'sprint.cancelled': decision({
    data: () => z.strictObject({ by: nameSchema, reason: textSchema.optional() }),
    verb: 'cancel',
    text: byWhom,
    reaches: { sprint: 'moves', task: 'every', request: 'ends' },
    projections: ['statuses', 'rules'],
    mark: 'sprint',
  }),
};
