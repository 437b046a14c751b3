import { CliffordError } from '../../errors.ts';
import type { ProjectState } from '../../machines/project-state.ts';

/** The sprint that was meant has no such task, and others have one. */
export class TaskElsewhere extends CliffordError {
  override readonly name = 'TaskElsewhere';
  readonly task: string;
  /** The sprints that have it, by their ids. */
  readonly sprints: readonly string[];

  constructor({ stream, taskId: task }: { stream: string; taskId: string }, sprints: readonly string[]) {
    super(`Cannot find task ${task} in sprint ${stream}`, {
      code: 'TASK_UNKNOWN',
      fix: `Task ${task} is in sprint ${sprints.join(' and ')}: name that one`,
    });
    this.task = task;
    this.sprints = sprints;
  }
}

/** The sprints that have a task of this name, by their ids. */
export function sprintsWith({ streams }: ProjectState, taskId: string): readonly string[] {
  return [...streams.values()].filter(({ tasks }) => tasks.has(taskId)).map(({ id }) => id);
}
