import { join } from 'node:path';
import type { Finding } from './finding.ts';
import { jsonDocument } from './merge-json.ts';
import type { Json } from './json-text.ts';
import type { Entry, Merge } from './merge.ts';
import { readTarget } from './target-file.ts';

/** A file of the project, and what is to be in it. */
export type Wish = {
  /** From the project's root. */
  readonly file: string;
  readonly about: string;
  readonly entry: Entry;
  readonly merge: (text: string, entry: Entry) => Merge;
  /** What else a new file has. Only where it is JSON. */
  readonly head?: { readonly [key: string]: Json } | undefined;
};

/** What there is to do for a file to have an entry. */
export async function findMerge(root: string, { file, about, entry, merge, head }: Wish): Promise<Finding> {
  const path = join(root, file);
  const found = await readTarget(path);
  if (found && 'refused' in found) return { is: 'refused', shown: file, reason: found.refused };
  const merged = merge(found?.text ?? (head ? jsonDocument(head) : ''), entry);
  if (merged.is === 'refused') return { is: 'refused', shown: file, reason: merged.reason };
  if (merged.is === 'there') return { is: 'there', shown: file, about };
  const change = { path, shown: file, about, before: found?.text, after: merged.text };
  return { is: merged.is === 'added' ? 'wanted' : 'different', change };
}

/** What there is to do for a file to exist. One that does is left as it is, whatever it says. */
export async function findMissing(
  root: string,
  { file, about, text }: { file: string; about: string; text: string },
): Promise<Finding> {
  const path = join(root, file);
  const found = await readTarget(path);
  if (!found) return { is: 'wanted', change: { path, shown: file, about, before: undefined, after: text } };
  if ('refused' in found) return { is: 'refused', shown: file, reason: found.refused };
  return { is: 'there', shown: file, about };
}
