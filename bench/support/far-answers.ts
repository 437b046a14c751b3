import { z } from 'zod';

/** Where another process answers: in a project, or with bare messages. */
export const toAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['server', 'file']),
    root: z.string(),
    env: z.record(z.string(), z.string()),
  }),
  z.strictObject({ kind: z.literal('bare'), servers: z.string() }),
]);
export type ToAnswer = z.infer<typeof toAnswerSchema>;

/** When it began to: ns of the machine's monotonic clock, in decimal. */
export const sentSchema = z.strictObject({ sentNs: z.string() });
