import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Checkpoint } from '../events/event-log.ts';
import {
  foldSignature,
  fromSnapshot,
  projectSnapshotSchema,
  toSnapshot,
} from '../machines/project-snapshot.ts';
import type { ProjectState } from '../machines/project-state.ts';
import { version } from '../version.ts';
import { writeAtomically } from './write-atomically.ts';

/** A folded state and the place in the log up to which it is folded. */
export type Folded = { readonly state: ProjectState; readonly checkpoint: Checkpoint };

const cacheSchema = z.strictObject({
  signature: z.string(),
  checkpoint: z.strictObject({
    position: z.int().nonnegative(),
    proof: z.string(),
    heads: z.record(z.string(), z.strictObject({ version: z.int().positive(), hash: z.string() })),
  }),
  state: projectSnapshotSchema,
});

/** Digest of this version and its machines. A cache with another one is made anew. */
const signature = createHash('sha256').update(version).update(foldSignature()).digest('base64url');

/**
 * Reads a snapshot. It is a projection: a missing, damaged or foreign one is `undefined` and costs
 * a full fold, never truth. Whether it fits the log is checked by reading on from its checkpoint.
 */
export async function loadSnapshot(path: string): Promise<Folded | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
  const parsed = cacheSchema.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.signature !== signature) return undefined;
  return { state: fromSnapshot(parsed.data.state), checkpoint: parsed.data.checkpoint };
}

/**
 * Writes a snapshot in one rename; a reader sees the old one or the new one. Returns whether it
 * could: on a full or read-only disk the next open folds a longer stretch, and nothing else is lost.
 */
export async function saveSnapshot(path: string, { state, checkpoint }: Folded): Promise<boolean> {
  try {
    await writeAtomically(path, JSON.stringify({ signature, checkpoint, state: toSnapshot(state) }));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
