import { mergeOf } from './fold-worktree.ts';
import type { SprintState } from './project-state.ts';
import type { TaskState } from './task-state.ts';
import { detailOf, nameOf } from './status-words.ts';

/** Pending tasks whose dependencies are completed, with their changes where others have them, or skipped, in the manifest's order. */
export function readyTasks(sprint: SprintState): TaskState[] {
  return [...sprint.tasks.values()].filter(
    (task) => nameOf(task.machine.value) === 'pending' && unmetBy(sprint, task).length === 0,
  );
}

/** Those that a task depends on and that keep it from starting. */
export function unmetBy(sprint: SprintState, { dependsOn }: Pick<TaskState, 'dependsOn'>): string[] {
  return dependsOn.filter((id) => !isMet(sprint, id));
}

/** Whether this task keeps none from starting that depends on it. */
function isMet(sprint: SprintState, taskId: string): boolean {
  const task = sprint.tasks.get(taskId);
  return task !== undefined && meetsDependency(detailOf(task.machine.value)) && mergeOf(task) === undefined;
}

/** The same of a task of which this is the detail. */
export function meetsDependency(detail: string | undefined): boolean {
  return detail === 'completed' || detail === 'skipped';
}
