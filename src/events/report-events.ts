import { z } from 'zod';
import { textSchema } from './field-schemas.ts';

/** Facts an agent reports about its finished work. */
export const reportEvents = {
  /** What a finished task changed, and how a human checks it. Subject: the task. */
  'uat.reported': z.strictObject({ title: textSchema, changes: textSchema, steps: z.array(textSchema) }),
  /** Lines for the changelog, added to those the sprint has already. Subject: the stream. */
  'changelog.updated': z.strictObject({ entries: z.array(textSchema), sprintName: textSchema.optional() }),
};
