import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { TaskState } from '../../machines/task-state.ts';
import type { Project } from '../project/project.ts';

/** How the log names a folder: from the project's root, with `/`; on another drive by its whole path. */
export function loggedPath(root: string, path: string): string {
  const from = relative(root, path);
  return (isAbsolute(from) ? path : from).split(sep).join('/');
}

/** The folder of a task's worktree, absolute. `undefined`: it has none. */
export function worktreeFolder(
  { root }: Pick<Project, 'root'>,
  task: Pick<TaskState, 'worktree'> | undefined,
): string | undefined {
  return task?.worktree && resolve(root, task.worktree.path);
}

/**
 * Where a task is worked on and verified: the place of the project in the task's worktree, else the project itself. Known
 * from the log, whatever the one who asks was told.
 */
export function workFolder(
  project: Pick<Project, 'root'>,
  task: Pick<TaskState, 'worktree'> | undefined,
): string {
  const folder = worktreeFolder(project, task);
  return folder === undefined ? project.root : join(folder, task?.worktree?.prefix ?? '');
}
