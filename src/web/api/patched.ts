import type { Patch, Splice } from './patch.ts';

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
