import { dirname } from 'node:path';
import type { SprintState } from '../../machines/project-state.ts';
import { readTaskTitle } from './task-title.ts';

/** Files that are read at once. */
const BATCH = 100;

/** The titles of tasks of a sprint, by their ids, some at a time: first headings of their files. Those without one are not among them. */
export async function* titlesOfTasks(
  root: string,
  {
    manifest,
    tasks,
  }: Pick<SprintState, 'manifest'> & {
    readonly tasks: Iterable<{ readonly id: string; readonly file: string }>;
  },
): AsyncGenerator<ReadonlyMap<string, string>> {
  if (manifest === undefined) return;
  const all = [...tasks];
  for (let from = 0; from < all.length; from += BATCH) {
    const read = all
      .slice(from, from + BATCH)
      .map(async ({ id, file }) => [id, (await readTaskTitle(root, dirname(manifest), file)) ?? ''] as const);
    yield new Map((await Promise.all(read)).filter(([, title]) => title !== ''));
  }
}
