import { basename, dirname, join } from 'node:path/posix';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readOwnFile } from '../../lib/files/plain-file.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { UAT_FILE } from '../projections/uat.ts';
import { MAX_MANIFEST_BYTES } from '../sprint/manifest.ts';
import { MANIFEST_FILE, manifestPath, type SprintFolder } from '../sprint/sprint-folders.ts';
import type { Git } from './git.ts';
import type { Repository } from './repository.ts';
import type { WorkTreeSnapshot, WorkTree } from './snapshot.ts';
import { taskChanges } from './task-changes.ts';

/** Where the files of a task are looked for. */
export type TaskFilesParts = {
  readonly git: Git;
  readonly root: string;
  readonly repository: Repository;
  readonly folder: SprintFolder;
  /** How the files were before the work began, and how they are. */
  readonly before: WorkTreeSnapshot;
  readonly now: WorkTree;
  /** What Clifford writes about the sprint is left out: another worker commits it. */
  readonly isRecordedElsewhere?: boolean | undefined;
};

/**
 * The files of a task; with them, what Clifford itself has written about it into tracked files. What it writes
 * about other sprints, which may run at the same time, is left out. Empty when the task changed nothing.
 */
export async function filesOfTask(parts: TaskFilesParts): Promise<string[]> {
  const { root, folder, before, now } = parts;
  const manifest = manifestPath(root, folder.dir);
  const uat = join(dirname(manifest), UAT_FILE);
  const records = new Set([manifest, uat, ...[...now.keys()].filter(isRecord)]);
  const changed = taskChanges(before, now, records);
  const known = new Map(before.files);
  const files: string[] = [];
  for (const path of changed) {
    if (!records.has(path) || (path === uat && !parts.isRecordedElsewhere)) files.push(path);
    else if (path !== manifest && basename(path) === MANIFEST_FILE && !known.has(path)) {
      // A new sprint, or another one that the task was to change.
      if (!(await isStatusChange(parts, path))) files.push(path);
    }
  }
  if (files.length === 0 || parts.isRecordedElsewhere) return files;
  const hasStatuses = now.has(manifest) && (await isStatusChange(parts, manifest));
  return hasStatuses ? [...files, manifest] : files;
}

/** Whether Clifford writes this file of a sprint. */
function isRecord(path: string): boolean {
  const name = basename(path);
  return dirname(dirname(path)) === 'sprints' && (name === MANIFEST_FILE || name === UAT_FILE);
}

/**
 * Whether a sprint's manifest differs from the last commit by nothing but statuses, which Clifford writes.
 * Anything else is somebody's work in progress.
 *
 * @param path - From the project's root.
 */
async function isStatusChange({ git, root, repository }: TaskFilesParts, path: string): Promise<boolean> {
  const { head, prefix } = repository;
  if (head === undefined) return false;
  const committed = await git.run(['cat-file', 'blob', `${head}:${prefix}${path}`]);
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
