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

/** What was sent before as it is with a patch. What has not changed is the same object. */
export function patched<T extends object>(before: T, { set, drop, splice }: Omit<Patch, 'of'>): T {
  const kept = Object.entries(before).filter(([key]) => !drop.includes(key));
  const lists = Object.entries(splice).map(([key, changes]) => [
    key,
    spliced(before[key as keyof T], changes),
  ]);
  return { ...Object.fromEntries(kept), ...set, ...Object.fromEntries(lists) } as T;
}

function spliced(list: unknown, changes: readonly Splice[]): unknown[] {
  if (!Array.isArray(list)) throw new TypeError('A list is to be changed that was not sent');
  return changes.reduce<unknown[]>((all, { at, gone, put }) => all.toSpliced(at, gone, ...put), list);
}
