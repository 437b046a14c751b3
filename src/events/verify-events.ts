import { z } from 'zod';
import { durationMsSchema, nameSchema, textSchema } from './field-schemas.ts';

/** Facts about the commands that have to succeed before a task counts as completed. Subject: the task. */
export const verifyEvents = {
  /**
   * One command has ended. `code` is `null` when a signal, a time limit or a failed start ended it;
   * `output` is the end of what it printed.
   */
  'verify.returned': z.strictObject({
    command: textSchema,
    code: z.int().nullable(),
    durationMs: durationMsSchema,
    output: textSchema,
    runId: nameSchema.optional(),
  }),
};
