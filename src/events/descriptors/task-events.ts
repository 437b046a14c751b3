import { z } from 'zod';
import { duration } from '../../lib/time/duration.ts';
import { decision, observation } from '../descriptor.ts';
import { durationMsSchema, nameSchema, textSchema } from '../field-schemas.ts';
import { because, byWhom } from '../text-parts.ts';

const attemptSchema = z.int().positive();

/**
 * Facts about one task. Subject: `stream/task`.
 *
 * `runId` names the attempt's agent process. An event that carries one is only legal while that
 * attempt is the task's current one; an event of a human, or of an agent nobody started, has none.
 */
export const taskEvents = {
  /**
   * `checksDigest`: of what verifies the work of this attempt, whatever the files say later. `done`: its agent need
   * not say that the task is done; that it exits with code 0 says so.
   */
  'task.started': decision({
    data: () =>
      z.strictObject({
        attempt: attemptSchema,
        by: nameSchema,
        runId: nameSchema.optional(),
        checksDigest: nameSchema.optional(),
        done: z.literal('exit-0').optional(),
      }),
    verb: 'start',
    text: ({ attempt, by }) => `attempt ${attempt} by ${by}`,
    reaches: { task: 'own', sprint: 'allows' },
    projections: ['statuses'],
    mark: 'attempt',
  }),
  /** Said by the agent without a question: opens the request `requestId` with its reason. */
  'task.blocked': decision({
    data: () =>
      z.strictObject({
        requestId: nameSchema,
        by: nameSchema,
        reason: textSchema,
        runId: nameSchema.optional(),
      }),
    verb: 'block',
    text: ({ by, reason }) => `${by} needs help: ${reason}`,
    reaches: { request: 'opens', task: 'own', sprint: 'allows' },
    projections: ['statuses', 'memories'],
    mark: 'question',
  }),
  /** `by` is `manifest` for a task that was done before Clifford saw it. */
  'task.completed': decision({
    data: () =>
      z.strictObject({
        by: nameSchema,
        summary: textSchema.optional(),
        runId: nameSchema.optional(),
      }),
    verb: 'complete',
    text: ({ by, summary }) => `by ${by}${because(summary)}`,
    reaches: { task: 'own', sprint: 'allows', request: 'ends' },
    projections: ['statuses'],
    mark: 'task',
  }),
  /** Without `by` its runner says so: no attempts are left. */
  'task.failed': decision({
    data: () =>
      z.strictObject({
        reason: textSchema,
        by: nameSchema.optional(),
        runId: nameSchema.optional(),
      }),
    verb: 'fail',
    text: ({ reason }) => reason,
    reaches: { task: 'own', sprint: 'allows' },
    projections: ['statuses'],
    mark: 'failure',
  }),
  /** A remark for who reads the history. */
  'task.noted': observation({
    data: () => z.strictObject({ by: nameSchema, text: textSchema, runId: nameSchema.optional() }),
    title: 'Remark',
    text: ({ by, text }) => `${by}: ${text}`,
  }),
  /** The attempt before `attempt` failed; the next may start after `delayMs`. */
  'task.retried': decision({
    data: () => z.strictObject({ attempt: attemptSchema, delayMs: durationMsSchema, reason: textSchema }),
    verb: 'begin another attempt at',
    text: ({ attempt, delayMs, reason }) => `attempt ${attempt} in ${duration(delayMs)}: ${reason}`,
    reaches: { task: 'own', sprint: 'allows' },
    projections: ['statuses'],
    mark: 'failure',
  }),
  'task.skipped': decision({
    data: () => z.strictObject({ by: nameSchema, reason: textSchema.optional() }),
    verb: 'skip',
    text: byWhom,
    reaches: { task: 'own', sprint: 'moves', request: 'ends' },
    projections: ['statuses'],
    mark: 'steered',
  }),
  'task.cancelled': decision({
    data: () => z.strictObject({ by: nameSchema, reason: textSchema.optional() }),
    verb: 'cancel',
    text: byWhom,
    reaches: { task: 'own', sprint: 'allows', request: 'ends' },
    projections: ['statuses'],
    mark: 'steered',
  }),
  'task.reset': decision({
    data: () => z.strictObject({ by: nameSchema, reason: textSchema }),
    verb: 'retry',
    text: byWhom,
    reaches: { task: 'own', sprint: 'moves' },
    projections: ['statuses'],
    mark: 'steered',
  }),
  /** Its changes could not be merged as they are: an agent goes on with it. */
  'task.reopened': decision({
    data: () => z.strictObject({ by: nameSchema, reason: textSchema }),
    verb: 'reopen',
    text: byWhom,
    reaches: { task: 'own', sprint: 'allows' },
    projections: ['statuses'],
    mark: 'steered',
  }),
};
