import type { SprintState, TaskState } from './project-state.ts';
import { nameOf } from './status-words.ts';

/** Pending tasks whose dependencies are completed or skipped, in the manifest's order. */
export function readyTasks(sprint: SprintState): TaskState[] {
  return [...sprint.tasks.values()].filter(
    (task) => nameOf(task.machine.value) === 'pending' && task.dependsOn.every((id) => isMet(sprint, id)),
  );
}

function isMet(sprint: SprintState, taskId: string): boolean {
  const task = sprint.tasks.get(taskId);
  return task !== undefined && ['done.completed', 'done.skipped'].includes(nameOf(task.machine.value));
}
