import { z } from 'zod';

/** The argument by which tools name a sprint. */
export const sprintDirSchema = z
  .string()
  .min(1)
  .max(4_096)
  .describe('Folder of the sprint (it holds manifest.json), absolute or relative to the project root');
