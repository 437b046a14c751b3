import { z } from 'zod';
import { nameSchema, textSchema } from './field-schemas.ts';

/** Facts about the commit made of a completed task. Subject: the task. */
export const commitEvents = {
  /** `files` are relative to the project's root, with `/`. */
  'task.committed': z.strictObject({
    sha: nameSchema,
    files: z.array(textSchema).min(1),
    attempt: z.int().positive(),
  }),
  /** There is no commit of it, and why: nothing changed, a secret in it, a hook that refused. */
  'task.uncommitted': z.strictObject({ reason: textSchema, attempt: z.int().positive() }),
};
