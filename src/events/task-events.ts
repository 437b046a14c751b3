import { z } from 'zod';
import { durationMsSchema, nameSchema, textSchema } from './field-schemas.ts';

const attemptSchema = z.int().positive();

/**
 * Facts about one task. Subject: `stream/task`.
 *
 * `runId` names the attempt's agent process. An event that carries one is only legal while that
 * attempt is the task's current one; an event of a human, or of an agent nobody started, has none.
 */
export const taskEvents = {
  /** `checksDigest`: of what verifies the work of this attempt, whatever the files say later. */
  'task.started': z.strictObject({
    attempt: attemptSchema,
    by: nameSchema,
    runId: nameSchema.optional(),
    checksDigest: nameSchema.optional(),
  }),
  /** Said by the agent without a question: opens the request `requestId` with its reason. */
  'task.blocked': z.strictObject({
    requestId: nameSchema,
    by: nameSchema,
    reason: textSchema,
    runId: nameSchema.optional(),
  }),
  /** `by` is `manifest` for a task that was done before Clifford saw it. */
  'task.completed': z.strictObject({
    by: nameSchema,
    summary: textSchema.optional(),
    runId: nameSchema.optional(),
  }),
  /** Without `by` its runner says so: no attempts are left. */
  'task.failed': z.strictObject({
    reason: textSchema,
    by: nameSchema.optional(),
    runId: nameSchema.optional(),
  }),
  /** A remark for who reads the history. */
  'task.noted': z.strictObject({ by: nameSchema, text: textSchema, runId: nameSchema.optional() }),
  /** The attempt before `attempt` failed; the next may start after `delayMs`. */
  'task.retried': z.strictObject({ attempt: attemptSchema, delayMs: durationMsSchema, reason: textSchema }),
  'task.skipped': z.strictObject({ by: nameSchema, reason: textSchema.optional() }),
  'task.cancelled': z.strictObject({ by: nameSchema, reason: textSchema.optional() }),
  'task.reset': z.strictObject({ by: nameSchema, reason: textSchema }),
};
