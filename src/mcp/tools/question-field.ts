import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';

/** The question to a human, as a tool's argument. */
export const questionField = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TEXT_LENGTH)
  .describe('The question, complete: the human may not have seen your work');
