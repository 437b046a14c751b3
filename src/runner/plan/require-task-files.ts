import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { exists } from '../../lib/files/exists.ts';
import { pathFrom } from '../../lib/files/path-from.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { tasksLeft } from './tasks-left.ts';

/**
 * Makes sure that the tasks that are left have their files, without which they fail at once: for who has others run them. That
 * of a task that depends on others may be written by these.
 *
 * @param sprint - What the log says of it.
 * @throws {CliffordError} `TASK_FILE_MISSING`.
 */
export async function requireTaskFiles(
  root: string,
  folder: SprintFolder,
  sprint: Pick<SprintState, 'tasks'> | undefined,
): Promise<void> {
  for (const { id, file, dependsOn = [] } of tasksLeft(folder, sprint)) {
    const path = join(folder.dir, file);
    if (dependsOn.length > 0 || (await exists(path))) continue;
    throw new CliffordError(`Cannot run task ${id}: its file ${pathFrom(root, path)} is missing`, {
      code: 'TASK_FILE_MISSING',
      fix: 'Write it, correct "file" in the manifest, or name with "dependsOn" the task that writes it',
    });
  }
}
