import { z } from 'zod';

/** Longest free text in one field, in UTF-16 units. A longer one is refused before it is written. */
export const MAX_TEXT_LENGTH = 65_536;

/** The stream of questions asked outside any sprint. */
export const ADHOC_STREAM = 'adhoc';

/** A stream: a sprint's manifest `id`, or {@link ADHOC_STREAM}. */
export const streamSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected letters, digits, _ or -');

/** A task's id within its sprint: one line, no control characters. */
export const taskIdSchema = z
  .string()
  .regex(/^[^\p{Cc}\u2028\u2029]{1,200}$/u, 'expected 1 to 200 characters on one line');

/** A short identifying text: a person, a program, a run or request id. */
export const nameSchema = z.string().min(1).max(512);

/** Free text of a human or an agent. */
export const textSchema = z.string().max(MAX_TEXT_LENGTH);

/** A non-negative duration in whole milliseconds. */
export const durationMsSchema = z.int().nonnegative();
