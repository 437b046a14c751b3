import { z } from 'zod';

/** What every refusal says: as an error of the command line does. */
export const errorBodySchema = z.object({
  error: z.object({
    /** Stable, for programs: `QUESTION_CLOSED`. */
    code: z.string(),
    /** What could not be done, the rule and the actual value. */
    message: z.string(),
    /** What to do about it. */
    fix: z.string(),
  }),
});
/** See {@link errorBodySchema}. */
export type ErrorBody = z.infer<typeof errorBodySchema>;
