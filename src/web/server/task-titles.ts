import { readTaskTitle } from '../../workflow/task/task-title.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { taskFilesOf } from './task-files.ts';

/** Files that are read at once. */
const BATCH = 100;

/** Looks at a file that is not there yet: an agent may add a task before it writes its file. */
const MOST_LOOKS = 60;

/** The titles of tasks, as their files have them: each is read once, when its sprint is looked at first, or when it comes. */
export class TaskTitles {
  readonly #project: Pick<Project, 'root' | 'state'>;
  /** By sprint, then by task. */
  readonly #titles = new Map<string, Map<string, string>>();
  /** How often the file of a task was not there, by its address. */
  readonly #absent = new Map<string, number>();

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
    const fresh: (typeof tasks)[number][] = [];
    for (const task of tasks) {
      // The log names again what the manifest has.
      if (known.has(task.id)) continue;
      known.set(task.id, '');
      fresh.push(task);
    }
    if (dir === undefined) return false;
    let isAny = false;
    for (let from = 0; from < fresh.length; from += BATCH) {
      const read = fresh.slice(from, from + BATCH).map(async (task) => {
        // A title is not worth failing for.
        const title = await readTaskTitle(root, dir, task.file).catch(() => '');
        if (title !== undefined) known.set(task.id, title);
        else if (this.#isAwaited(`${id}/${task.id}`)) known.delete(task.id);
        isAny ||= title !== undefined;
      });
      await Promise.all(read);
    }
    return isAny;
  }

  /** Whether a file that is not there may still come. */
  #isAwaited(task: string): boolean {
    const looks = (this.#absent.get(task) ?? 0) + 1;
    this.#absent.set(task, looks);
    return looks < MOST_LOOKS;
  }
}
