import { join } from 'node:path';
import type { Finding } from './finding.ts';
import { jsonDocument } from './merge-json.ts';
import type { Json } from '../../lib/json/json-edits.ts';
import type { Entry, Merge } from './merge.ts';
import { readTarget } from './target-file.ts';

/** A file of the project, and what is to be in it. */
export type FileEntry = {
  /** From the project's root. */
  readonly file: string;
  readonly about: string;
  readonly entry: Entry;
  readonly merge: (text: string, entry: Entry) => Merge;
  /** What else a new file has. Only where it is JSON. */
  readonly head?: { readonly [key: string]: Json } | undefined;
};

/** What there is to do for a file to have an entry. */
export async function findMerge(
  root: string,
  { file, about, entry, merge, head }: FileEntry,
): Promise<Finding> {
  const path = join(root, file);
  const found = await readTarget(path);
  if (found && 'refused' in found) return { is: 'refused', shown: file, reason: found.refused };
  const merged = merge(found?.text ?? (head ? jsonDocument(head) : ''), entry);
  if (merged.is === 'refused') return { is: 'refused', shown: file, reason: merged.reason };
  if (merged.is === 'there') return { is: 'there', shown: file, about };
  const change = { path, shown: file, about, before: found?.text, after: merged.text };
  return { is: merged.is === 'added' ? 'wanted' : 'different', change };
}

/** A file as a whole. */
type WholeFile = { readonly file: string; readonly about: string; readonly text: string };

/** What there is to do for a file to exist. One that does is left as it is, whatever it says. */
export async function findMissing(root: string, whole: WholeFile): Promise<Finding> {
  const found = await findWhole(root, whole);
  return found.is === 'different' ? { is: 'there', shown: whole.file, about: whole.about } : found;
}

/** What there is to do for a file to be the copy of one of Clifford's. */
export async function findCopy(root: string, whole: WholeFile): Promise<Finding> {
  const found = await findWhole(root, whole);
  return 'change' in found ? { ...found, change: { ...found.change, isCopy: true } } : found;
}

async function findWhole(root: string, { file, about, text }: WholeFile): Promise<Finding> {
  const path = join(root, file);
  const found = await readTarget(path);
  if (found && 'refused' in found) return { is: 'refused', shown: file, reason: found.refused };
  if (found?.text === text) return { is: 'there', shown: file, about };
  const change = { path, shown: file, about, before: found?.text, after: text };
  return { is: found ? 'different' : 'wanted', change };
}
