import { z } from 'zod';
import { nameSchema, taskIdSchema, textSchema } from './field-schemas.ts';

/** A task as the manifest names it. `file` is relative to the sprint's folder. */
const plannedTaskSchema = z.strictObject({
  id: taskIdSchema,
  file: z.string(),
  dependsOn: z.array(taskIdSchema).optional(),
});

/** A task as `sprint.created` and `sprint.amended` carry it. */
export type PlannedTask = z.infer<typeof plannedTaskSchema>;

/** Facts about a whole sprint. Subject: the stream. */
export const sprintEvents = {
  /** `manifest` is the path of manifest.json, relative to the project root, with `/`. */
  'sprint.created': z.strictObject({
    name: z.string(),
    manifest: z.string(),
    tasks: z.array(plannedTaskSchema),
  }),
  /** The manifest gained these tasks. */
  'sprint.amended': z.strictObject({ tasks: z.array(plannedTaskSchema).min(1) }),
  /** `runner` names who took it up; `maxAttempts` holds until the next start for every task without a limit of its own. */
  'sprint.started': z.strictObject({
    runner: nameSchema,
    maxAttempts: z.int().positive(),
    limits: z
      .array(z.strictObject({ id: taskIdSchema, maxAttempts: z.int().positive() }))
      .min(1)
      .optional(),
  }),
  'sprint.paused': z.strictObject({ by: nameSchema }),
  'sprint.resumed': z.strictObject({ by: nameSchema }),
  /** `by` is `manifest` for a sprint that was done before Clifford saw it. */
  'sprint.completed': z.strictObject({
    by: nameSchema,
    summary: textSchema.optional(),
    runId: nameSchema.optional(),
  }),
  'sprint.failed': z.strictObject({ reason: textSchema }),
  'sprint.cancelled': z.strictObject({ by: nameSchema, reason: textSchema.optional() }),
};
