import { CliffordError } from '../errors.ts';
import type { ProjectState } from '../machines/project-state.ts';
import { nameOf } from '../machines/words.ts';
import { findSprintFolder, listSprintFolders } from '../workflow/sprint-folders.ts';
import type { SprintFolder } from '../workflow/sprint-folders.ts';

/**
 * The sprint to run: the one named by its id or folder, else the only one that is not finished.
 *
 * @throws {CliffordError} `SPRINT_UNKNOWN`, `SPRINT_NONE`, `SPRINT_UNCLEAR` (lists the candidates), or why
 *   a manifest cannot be read.
 */
export async function chooseSprint(
  { root, state }: { root: string; state: ProjectState },
  name: string | undefined,
): Promise<SprintFolder> {
  const index = await listSprintFolders(root);
  if (name !== undefined) return findSprintFolder(index, name);
  const [first, ...others] = index.sprints.filter((folder) => isUnfinished(folder, state));
  if (first && others.length === 0) return first;
  if (first) throw unclear([first, ...others]);
  const [broken] = index.broken;
  throw broken?.error ?? none(index.sprints.length);
}

/** The log decides; a sprint it does not know yet is unfinished while one of its tasks is. */
function isUnfinished({ manifest }: SprintFolder, state: ProjectState): boolean {
  const known = state.streams.get(manifest.id);
  const isNew = (taskId: string): boolean => known?.tasks.has(taskId) !== true;
  const gained = manifest.tasks.some(
    ({ id, status }) => isNew(id) && status !== 'completed' && status !== 'pushed',
  );
  if (known?.manifest === undefined) return gained;
  const name = nameOf(known.machine.value);
  return name !== 'done.cancelled' && (gained || name !== 'done.completed');
}

function unclear(folders: readonly SprintFolder[]): CliffordError {
  const ids = folders.map(({ manifest }) => manifest.id).join(', ');
  return new CliffordError(`Cannot tell which sprint to run: unfinished are ${ids}`, {
    code: 'SPRINT_UNCLEAR',
    fix: 'Name one of them',
    recovery: 'fix-input',
  });
}

function none(count: number): CliffordError {
  return new CliffordError(
    `Cannot find a sprint to run: ${count === 0 ? 'the project has none' : 'all are finished'}`,
    {
      code: 'SPRINT_NONE',
      fix: 'Add a folder with a manifest.json below sprints/, or name a sprint',
      recovery: 'fix-input',
    },
  );
}
