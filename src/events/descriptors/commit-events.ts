import { z } from 'zod';
import { count } from '../../lib/text/count.ts';
import { observation } from '../descriptor.ts';
import { nameSchema, textSchema } from '../field-schemas.ts';

/** Facts about the commit made of a completed task. Subject: the task. */
export const commitEvents = {
  /** `files` are relative to the project's root, with `/`. `title`: the first line of its message. */
  'task.committed': observation({
    data: () =>
      z.strictObject({
        sha: nameSchema,
        files: z.array(textSchema).min(1),
        attempt: z.int().positive(),
        title: textSchema.optional(),
      }),
    text: ({ sha, files }) => `${sha.slice(0, 12)} (${count(files.length, 'file')})`,
  }),
  /** There is no commit of it, and why: nothing changed, a secret in it, a hook that refused. */
  'task.uncommitted': observation({
    data: () => z.strictObject({ reason: textSchema, attempt: z.int().positive() }),
    title: 'Task not committed',
    text: ({ reason }) => reason,
  }),
  /** What was made of the task is nowhere any more, and somebody has said that it is to be made again. */
  'work.lost': observation({
    data: () => z.strictObject({ by: nameSchema, reason: textSchema }),
    text: ({ by, reason }) => `${reason}; ${by} has it made again`,
    mark: 'failure',
    reaches: { sprint: 'moves' },
    projections: ['statuses'],
  }),
};
