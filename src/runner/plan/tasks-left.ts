import { isDoneStatus } from '../../machines/manifest-words.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { ManifestTask } from '../../workflow/sprint/manifest.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';

/**
 * The tasks that a run may work on.
 *
 * @param sprint - What the log says of it: an agent could write into the manifest that a task is done.
 */
export function tasksLeft(
  { manifest }: SprintFolder,
  sprint: Pick<SprintState, 'tasks'> | undefined,
): readonly ManifestTask[] {
  const isDone = (id: string) => {
    const task = sprint?.tasks.get(id);
    return task === undefined || nameOf(task.machine.value) === 'done.completed';
  };
  return manifest.tasks.filter(({ id, status }) => !isDoneStatus(status) || !isDone(id));
}
