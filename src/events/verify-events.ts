import { z } from 'zod';
import { durationMsSchema, nameSchema, textSchema } from './field-schemas.ts';

/**
 * What the end of a command says about the work on a task, next to how it ended before the work began:
 * it succeeded before and after (`clean`), only before (`regressed`), only after (`fixed`), never
 * (`broken-before`).
 */
export const verdictSchema = z.enum(['clean', 'regressed', 'fixed', 'broken-before']);
export type Verdict = z.infer<typeof verdictSchema>;

/** Facts about the commands that have to succeed before a task counts as completed. Subject: the task. */
export const verifyEvents = {
  /**
   * One command has ended. `code` is `null` when a signal, a time limit or a failed start ended it; `output` is
   * the end of what it printed, with a last line that says how it ended if there is no code. `baseline`: it ran
   * before the work on the task began; else after, with a `verdict` where there is a baseline to compare it with.
   */
  'verify.returned': z.strictObject({
    command: textSchema,
    code: z.int().nullable(),
    durationMs: durationMsSchema,
    output: textSchema,
    runId: nameSchema.optional(),
    baseline: z.literal(true).optional(),
    verdict: verdictSchema.optional(),
  }),
};
