import { isElsewhere } from '../../machines/fold-offer.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { TaskState } from '../../machines/task-state.ts';
import type { GitPlace } from '../../workflow/git/git.ts';
import { noteFiles } from '../../workflow/commit/note-files.ts';
import { WorkTreeSnapshots } from '../../workflow/commit/snapshot.ts';
import type { Project } from '../../workflow/project/project.ts';

/** Which tasks of which sprint, and how files are looked at. */
type BegunElsewhere = Pick<GitPlace, 'env' | 'signal'> & {
  readonly stream: string;
  readonly isDue: (task: TaskState) => boolean | Promise<boolean>;
};

/** Notes how the files are here of tasks that another machine has begun: their next attempts begin with these, and nobody looks at them before. */
export async function noteBegun(
  project: Project,
  { stream, isDue, env, signal }: BegunElsewhere,
): Promise<void> {
  const noted = new Set(await new WorkTreeSnapshots(project.dir, stream).tasks());
  for (const task of project.state.streams.get(stream)?.tasks.values() ?? [])
    if (isBegun(task) && !noted.has(task.id) && (await isDue(task)))
      await noteFiles(project, { env, signal, stream, taskId: task.id });
}

/** Its first attempt was begun, and it goes on: nobody will look at the files before the next one. */
function isBegun(task: TaskState): boolean {
  const { machine, worktree } = task;
  const { value, context } = machine;
  const word = wordOf(value);
  const isGoingOn = context.attempt > 0 && (word === 'active' || word === 'blocked');
  return isGoingOn && worktree === undefined && !isElsewhere(task);
}
