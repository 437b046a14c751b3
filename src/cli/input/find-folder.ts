import { CliffordError } from '../../errors.ts';
import {
  findSprintFolder,
  listSprintFolders,
  type SprintFolder,
} from '../../workflow/sprint/sprint-folders.ts';

/**
 * The folder of a sprint by its id or folder name, or the only one that has this task. Reads manifests only.
 *
 * @throws {CliffordError} `SPRINT_UNKNOWN`, `TASK_UNKNOWN`, `SPRINT_UNCLEAR` when several have the task.
 */
export async function findFolder(
  root: string,
  { sprint, task }: { sprint?: string | undefined; task?: string | undefined },
): Promise<SprintFolder | undefined> {
  if (sprint === undefined && task === undefined) return undefined;
  const index = await listSprintFolders(root);
  const named = sprint === undefined ? index.sprints : [findSprintFolder(index, sprint)];
  if (task === undefined) return named[0];
  const having = named.filter(({ manifest }) => manifest.tasks.some(({ id }) => id === task));
  const [folder, second] = having;
  if (!folder) throw unknownTask(task, named);
  if (second) throw unclearTask(task, having);
  return folder;
}

const idsOf = (folders: readonly SprintFolder[]) => folders.map(({ manifest }) => manifest.id).join(', ');

function unknownTask(task: string, searched: readonly SprintFolder[]): CliffordError {
  const where = searched.length === 0 ? 'the project has no sprint' : `it is not in ${idsOf(searched)}`;
  return new CliffordError(`Cannot find task ${task}: ${where}`, {
    code: 'TASK_UNKNOWN',
    fix: 'Name a task of a manifest',
  });
}

function unclearTask(task: string, having: readonly SprintFolder[]): CliffordError {
  return new CliffordError(`Cannot tell which task ${task} is meant: it is in ${idsOf(having)}`, {
    code: 'SPRINT_UNCLEAR',
    fix: 'Name its sprint with --sprint',
  });
}
