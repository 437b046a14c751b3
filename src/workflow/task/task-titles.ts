import { dirname } from 'node:path';
import type { SprintState } from '../../machines/project-state.ts';
import { readTaskTitle } from './task-title.ts';

/** Files that are read at once. */
const BATCH = 100;

type TaskFile = { readonly id: string; readonly file: string };

/**
 * The titles of tasks by their ids, some at a time: first headings of their files, `''` where there is none; `undefined`: its file is
 * not there.
 *
 * @param dir - The folder that the files are named from, from the root.
 */
export async function* titlesInFiles(
  root: string,
  dir: string,
  tasks: Iterable<TaskFile>,
): AsyncGenerator<ReadonlyMap<string, string | undefined>> {
  const all = [...tasks];
  for (let from = 0; from < all.length; from += BATCH) {
    const read = all.slice(from, from + BATCH).map(async ({ id, file }) => {
      // A title is not worth failing for.
      const title = await readTaskTitle(root, dir, file).catch(() => '');
      return [id, title] as const;
    });
    yield new Map(await Promise.all(read));
  }
}

/** The same of tasks of a sprint. Those without a title are not among them. */
export async function* titlesOfTasks(
  root: string,
  { manifest, tasks }: Pick<SprintState, 'manifest'> & { readonly tasks: Iterable<TaskFile> },
): AsyncGenerator<ReadonlyMap<string, string>> {
  if (manifest === undefined) return;
  for await (const titles of titlesInFiles(root, dirname(manifest), tasks))
    yield new Map([...titles].flatMap(([id, title]) => (title ? [[id, title] as const] : [])));
}
