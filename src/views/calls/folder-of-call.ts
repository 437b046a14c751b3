import type { RequestState, SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';

/** Where a task is worked on: in its project, or in a worktree, whose `src/a.ts` is another file than the project's. */
export type FolderOf = (task: TaskState | undefined) => string;

/**
 * Where the agent works that asks about a call of its own tool: its files are named from there. `undefined`: it is the tool of a server,
 * whose files may be those of another machine.
 */
export function folderOfCall(
  { taskId, asked }: Pick<RequestState, 'taskId' | 'asked'>,
  sprint: Pick<SprintState, 'tasks'>,
  folderOf: FolderOf | undefined,
): string | undefined {
  return asked.approval?.isOwn ? folderOf?.(sprint.tasks.get(taskId ?? asked.task ?? '')) : undefined;
}
