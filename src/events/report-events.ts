import { z } from 'zod';
import { textSchema } from './field-schemas.ts';

/** Facts an agent reports about its finished work. */
export const reportEvents = {
  'uat.reported': z.strictObject({ title: textSchema, changes: textSchema, steps: z.array(textSchema) }),
  'changelog.updated': z.strictObject({ entries: z.array(textSchema) }),
};
