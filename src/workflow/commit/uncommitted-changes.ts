import { CliffordError } from '../../errors.ts';
import type { Project } from '../project/project.ts';
import { changesOfTask, uncommittedTasks } from './changes-of-task.ts';

/** Files in the working tree that are in no commit, each once, and their lines. */
export type Uncommitted = {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /**
   * Who changed them: the tasks of the sprint; or `anybody`, the user included, where it is not known how the files were
   * before.
   */
  readonly by: 'tasks' | 'anybody';
};

/** Of so many tasks at most git is asked. */
const MOST_TASKS = 20;

/**
 * What the tasks of a sprint changed that have no commit, as far as that can be told apart. `undefined`: nobody can tell, e.g.
 * there is no repository.
 */
export async function uncommittedChanges(
  project: Pick<Project, 'root' | 'dir' | 'state'>,
  stream: string,
): Promise<Uncommitted | undefined> {
  const tasks = uncommittedTasks(project.state.streams.get(stream));
  const files = new Map<string, { readonly added: number; readonly removed: number }>();
  let isKnown = false;
  let by: Uncommitted['by'] = 'tasks';
  for (const task of tasks.slice(0, MOST_TASKS)) {
    try {
      const changes = await changesOfTask(project, { stream, task, isOfAny: true });
      isKnown = true;
      for (const { path, lines } of changes.files) files.set(path, lines ?? { added: 0, removed: 0 });
      if (changes.from === 'since-begin') continue;
      // It has all that there is, whoever changed it.
      by = 'anybody';
      break;
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
    }
  }
  if (!isKnown) return undefined;
  const sum = (which: 'added' | 'removed') =>
    files.values().reduce((total, lines) => total + lines[which], 0);
  return { files: files.size, added: sum('added'), removed: sum('removed'), by };
}
