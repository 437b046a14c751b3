import { CliffordError } from '../../errors.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { sprintsWith, TaskElsewhere } from './task-elsewhere.ts';

/**
 * A task and its sprint.
 *
 * @throws {CliffordError} `TASK_UNKNOWN`, naming the sprint that has it, else the tasks that this one has.
 */
export function requireTask(
  state: ProjectState,
  { stream, taskId }: { stream: string; taskId: string },
): { sprint: SprintState; task: TaskState } {
  const sprint = state.streams.get(stream);
  const task = sprint?.tasks.get(taskId);
  if (sprint && task) return { sprint, task };
  const known = [...(sprint?.tasks.keys() ?? [])];
  const elsewhere = sprintsWith(state, taskId);
  if (elsewhere.length > 0) throw new TaskElsewhere({ stream, taskId }, elsewhere);
  throw new CliffordError(`Cannot find task ${taskId} in sprint ${stream}${didYouMean(taskId, known)}`, {
    code: 'TASK_UNKNOWN',
    fix: known.length === 0 ? 'Add it to the manifest' : `Its tasks are ${known.join(', ')}`,
  });
}
