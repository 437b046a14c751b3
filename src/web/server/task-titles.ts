import type { Project } from '../../workflow/project/project.ts';
import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { titlesInFiles } from '../../workflow/task/task-titles.ts';
import { taskFilesOf } from './task-files.ts';

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
    for await (const titles of titlesInFiles(root, dir, fresh))
      for (const [task, title] of titles) {
        if (title !== undefined) known.set(task, title);
        else if (this.#isAwaited(`${id}/${task}`)) known.delete(task);
        isAny ||= title !== undefined;
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
