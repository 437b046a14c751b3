import { z } from 'zod';
import { count } from '../../lib/text/count.ts';
import { observation } from '../descriptor.ts';
import { textSchema } from '../field-schemas.ts';

/** Facts an agent reports about its finished work. */
export const reportEvents = {
  /** What a finished task changed, and how a human checks it. Subject: the task. */
  'uat.reported': observation({
    data: () => z.strictObject({ title: textSchema, changes: textSchema, steps: z.array(textSchema) }),
    title: 'Acceptance test written',
    text: ({ title, steps }) => `${title} (${count(steps.length, 'step')})`,
    projections: ['reports'],
  }),
  /** Lines for the changelog, added to those the sprint has already. Subject: the stream. */
  'changelog.updated': observation({
    data: () => z.strictObject({ entries: z.array(textSchema), sprintName: textSchema.optional() }),
    text: ({ entries }) => entries.join('; '),
  }),
};
