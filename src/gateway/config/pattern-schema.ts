import { z } from 'zod';
import { regexOf } from '../policy/regex-time.ts';

/** A pattern of a rule, a folder, or words. */
export const patternSchema = z.string().min(1);

/** A regular expression that can be matched in a known time. */
export const regexSchema = z
  .string()
  .min(1)
  .refine((source) => regexOf(source) !== undefined, { error: 'must be a regular expression' });
