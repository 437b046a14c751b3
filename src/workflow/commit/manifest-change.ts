import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readOwnFile } from '../../lib/files/plain-file.ts';
import { MAX_MANIFEST_BYTES } from '../sprint/manifest.ts';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';

/**
 * Whether a sprint's manifest differs from the last commit by nothing but statuses, which Clifford writes.
 * Anything else is somebody's work in progress.
 *
 * @param path - From the project's root.
 */
export async function isStatusChange({
  git,
  root,
  repository,
  path,
}: {
  git: Git;
  root: string;
  repository: Repository;
  path: string;
}): Promise<boolean> {
  const { head, prefix } = repository;
  if (head === undefined) return false;
  const committed = await git.run(['cat-file', 'blob', `${head}:${prefix}${path}`]);
  if (committed.code !== 0) return false;
  try {
    const [before, now] = [committed.stdout, readOwnFile(join(root, path), { maxBytes: MAX_MANIFEST_BYTES })];
    return isDeepStrictEqual(withoutStatuses(before.toString('utf8')), withoutStatuses(now.toString('utf8')));
  } catch {
    // Gone, no plain file or no JSON any more: not by Clifford.
    return false;
  }
}

function withoutStatuses(text: string): unknown {
  const manifest: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  if (!isJsonObject(manifest)) return manifest;
  const { tasks } = manifest;
  const plain = Array.isArray(tasks) ? tasks.map(withoutStatus) : tasks;
  return withoutStatus({ ...manifest, tasks: plain });
}

function withoutStatus(thing: unknown): unknown {
  return isJsonObject(thing) ? { ...thing, status: undefined } : thing;
}
