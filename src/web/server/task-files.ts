import { dirname, relative } from 'node:path';
import type { Project } from '../../workflow/project/project.ts';
import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';

/** The files of a sprint's tasks. */
export type TaskFiles = {
  /** The folder that they are named from, from the root of the project; `undefined`: nobody knows it. */
  readonly dir: string | undefined;
  /** As the manifest has them, and then as the log does. */
  readonly tasks: readonly { readonly id: string; readonly file: string }[];
};

/** Where the files of the tasks of a sprint are, also of one that was not begun. */
export function taskFilesOf(
  { root, state }: Pick<Project, 'root' | 'state'>,
  { id, folder }: KnownSprint,
): TaskFiles {
  const sprint = state.streams.get(id);
  return {
    dir: sprint?.manifest === undefined ? folder && relative(root, folder.dir) : dirname(sprint.manifest),
    tasks: [...(folder?.manifest.tasks ?? []), ...(sprint?.tasks.values() ?? [])],
  };
}
