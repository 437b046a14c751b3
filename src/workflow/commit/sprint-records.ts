import { resolve } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { isDeepStrictEqual } from 'node:util';
import { readOwnFile } from '../../lib/files/plain-file.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { UAT_FILE } from '../projections/uat.ts';
import { MAX_MANIFEST_BYTES } from '../sprint/manifest.ts';
import { MANIFEST_FILE } from '../sprint/sprint-folders.ts';
import type { Git } from '../git/git.ts';

/** Whether Clifford writes this file of a sprint, by its path from the project's root. */
export function isOfSprint(path: string): boolean {
  const name = basename(path);
  return dirname(dirname(path)) === 'sprints' && (name === MANIFEST_FILE || name === UAT_FILE);
}

/** With which commit the files of a project are compared. */
type Compared = {
  readonly git: Git;
  readonly root: string;
  /** The project's root from the top of the repository: `''`, or a path that ends with `/`. */
  readonly prefix: string;
  /** `undefined`: there is none yet. */
  readonly commit: string | undefined;
};

/**
 * Whether a sprint's manifest differs from a commit by nothing but statuses, which Clifford writes. Anything else is
 * somebody's work.
 *
 * @param path - From the project's root.
 */
export async function differsInStatuses(
  { git, root, prefix, commit }: Compared,
  path: string,
): Promise<boolean> {
  if (commit === undefined) return false;
  const committed = await git.run(['cat-file', 'blob', `${commit}:${prefix}${path}`]);
  if (committed.code !== 0) return false;
  try {
    const now = readOwnFile(resolve(root, path), { maxBytes: MAX_MANIFEST_BYTES });
    return isDeepStrictEqual(withoutStatuses(committed.stdout), withoutStatuses(now));
  } catch {
    // Gone, no plain file or no JSON any more: not by Clifford.
    return false;
  }
}

function withoutStatuses(json: Buffer): unknown {
  const manifest: unknown = JSON.parse(json.toString('utf8').replace(/^\uFEFF/, ''));
  if (!isJsonObject(manifest)) return manifest;
  const { tasks } = manifest;
  const plain = Array.isArray(tasks) ? tasks.map(withoutStatus) : tasks;
  return withoutStatus({ ...manifest, tasks: plain });
}

function withoutStatus(thing: unknown): unknown {
  return isJsonObject(thing) ? { ...thing, status: undefined } : thing;
}
