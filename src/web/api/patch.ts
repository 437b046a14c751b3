import { z } from 'zod';
import { anyJsonSchema } from './fields.ts';

/** A change of a list: from a place on so many are taken out, and these put in. */
const spliceSchema = z.object({
  /** From 0, in the list as the changes before it left it. */
  at: z.int().nonnegative(),
  gone: z.int().nonnegative(),
  put: z.array(anyJsonSchema),
});
/** See {@link spliceSchema}. */
export type Splice = z.infer<typeof spliceSchema>;

/** What has changed of something that was sent before: keys of it, by their names. */
export const patchSchema = z.object({
  of: z.enum(['state', 'sprint', 'question']),
  /** These have another value. */
  set: z.record(z.string(), anyJsonSchema),
  /** These are gone. */
  drop: z.array(z.string()),
  /** These are lists of which a part is another one: the changes of each, in their order. */
  splice: z.record(z.string(), z.array(spliceSchema)),
});
/** See {@link patchSchema}. */
export type Patch = z.infer<typeof patchSchema>;
