import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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
    const [before, now] = [committed.stdout.toString('utf8'), await readFile(join(root, path), 'utf8')];
    return isDeepStrictEqual(withoutStatuses(before), withoutStatuses(now));
  } catch {
    // Gone, or no JSON any more: not by Clifford.
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
