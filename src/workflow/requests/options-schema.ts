import { z } from 'zod';

/** Fewer are no choice. */
export const MIN_OPTIONS = 2;
/** More are no help. */
export const MAX_OPTIONS = 20;
/** Longest option, in UTF-16 units. */
export const MAX_OPTION_LENGTH = 1_000;

/** Answers that an agent offers with its question: several, and all different. */
export const optionsSchema = z
  .array(z.string().trim().min(1).max(MAX_OPTION_LENGTH))
  .min(MIN_OPTIONS)
  .max(MAX_OPTIONS)
  .refine((options) => new Set(options).size === options.length, 'expected options that differ');
