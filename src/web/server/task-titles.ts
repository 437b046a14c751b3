import { readTaskTitle } from '../../workflow/task/task-title.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { taskFilesOf } from './task-files.ts';

/** Files that are read at once. */
const BATCH = 100;

/** The titles of tasks, as their files have them: each is read once, when its sprint is looked at first. */
export class TaskTitles {
  readonly #project: Pick<Project, 'root' | 'state'>;
  /** By sprint, then by task. */
  readonly #titles = new Map<string, Map<string, string>>();

  constructor(project: Pick<Project, 'root' | 'state'>) {
    this.#project = project;
  }

  /** Those of a sprint that have been read. */
  of(sprint: string): ReadonlyMap<string, string> {
    return this.#titles.get(sprint) ?? new Map<string, string>();
  }

  /** Reads those of a sprint that have not been. @returns whether there were any. */
  async read(sprint: KnownSprint): Promise<boolean> {
    const { id } = sprint;
    const { root } = this.#project;
    const { dir, tasks } = taskFilesOf(this.#project, sprint);
    const known = this.#titles.get(id) ?? new Map<string, string>();
    this.#titles.set(id, known);
    const fresh = tasks.filter((task) => !known.has(task.id));
    for (const task of fresh) known.set(task.id, '');
    if (dir === undefined || fresh.length === 0) return false;
    for (let from = 0; from < fresh.length; from += BATCH) {
      const read = fresh.slice(from, from + BATCH).map(async (task) => {
        // A title is not worth failing for.
        known.set(task.id, await readTaskTitle(root, dir, task.file).catch(() => ''));
      });
      await Promise.all(read);
    }
    return true;
  }
}
