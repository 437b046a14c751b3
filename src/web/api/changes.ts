import { z } from 'zod';

/** What a task made of one file. */
export const changedFileSchema = z.object({
  /** From the project's root. */
  path: z.string(),
  how: z.enum(['added', 'changed', 'removed']),
  /** Numbers of lines. Absent: they are not counted, as of what is no text. */
  lines: z.object({ added: z.int(), removed: z.int() }).optional(),
  /** The hunks of its unified diff, with what looks secret replaced; empty where there is none to be shown. */
  patch: z.string(),
  /** What there is to say about it beside that. */
  note: z.string().optional(),
});
/** See {@link changedFileSchema}. */
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** The files that a task changed. */
export const changesSchema = z.object({
  /** Where they are from, and how many there are: `3 files, +12 −3 since it began`. */
  about: z.string(),
  files: z.array(changedFileSchema),
});
/** See {@link changesSchema}. */
export type SentChanges = z.infer<typeof changesSchema>;
