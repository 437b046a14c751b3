import { basename, dirname, join } from 'node:path/posix';
import { UAT_FILE } from '../projections/uat.ts';
import { MANIFEST_FILE, manifestPath, type SprintFolder } from '../sprint/sprint-folders.ts';
import type { Git } from '../git/git.ts';
import type { Repository } from '../git/repository.ts';
import type { WorkTreeSnapshot, WorkFiles } from './snapshot.ts';
import { differsInStatuses, isOfSprint } from './sprint-records.ts';
import { taskChanges } from './task-changes.ts';

/** Where the files of a task are looked for. */
export type TaskFilesParts = {
  readonly git: Git;
  readonly root: string;
  readonly repository: Repository;
  readonly folder: SprintFolder;
  /** How the files were before the work began, and how they are. */
  readonly before: WorkTreeSnapshot;
  readonly now: WorkFiles;
  /** What Clifford writes about the sprint is left out: another worker commits it. */
  readonly isRecordedElsewhere?: boolean | undefined;
  /** Nobody else works there: it is a worktree of the task's own. */
  readonly isAlone: boolean;
};

/**
 * The files of a task; with them, what Clifford itself has written about it into tracked files. What it writes
 * about other sprints, which may run at the same time, is left out. Empty when the task changed nothing.
 */
export async function filesOfTask(parts: TaskFilesParts): Promise<string[]> {
  const { git, root, repository, folder, before, now } = parts;
  const place = { git, root, prefix: repository.prefix, commit: repository.head };
  const manifest = manifestPath(root, folder.dir);
  const uat = join(dirname(manifest), UAT_FILE);
  const records = new Set([manifest, uat, ...[...now.keys()].filter(isOfSprint)]);
  const changed = taskChanges(before, now, { ours: records, isAlone: parts.isAlone });
  const known = new Map(before.files);
  const files: string[] = [];
  for (const path of changed) {
    if (!records.has(path) || (path === uat && !parts.isRecordedElsewhere)) files.push(path);
    else if (path !== manifest && basename(path) === MANIFEST_FILE && !known.has(path)) {
      // A new sprint, or another one that the task was to change.
      if (!(await differsInStatuses(place, path))) files.push(path);
    }
  }
  if (files.length === 0 || parts.isRecordedElsewhere) return files;
  const hasStatuses = now.has(manifest) && (await differsInStatuses(place, manifest));
  return hasStatuses ? [...files, manifest] : files;
}
