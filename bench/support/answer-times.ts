import { z } from 'zod';

/** When an answer's append began and was on disk: ns of the machine's monotonic clock, in decimal. */
export const answerTimesSchema = z.strictObject({ startedNs: z.string(), durableNs: z.string() });
export type AnswerTimes = z.infer<typeof answerTimesSchema>;
