import { CliffordError } from '../../errors.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import type { ProjectState, SprintState, TaskState } from '../../machines/project-state.ts';

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
  const elsewhere = inOtherSprint(state, taskId);
  if (elsewhere !== undefined)
    throw new CliffordError(`Cannot find task ${taskId} in sprint ${stream}`, {
      code: 'TASK_UNKNOWN',
      fix: elsewhere,
    });
  throw new CliffordError(`Cannot find task ${taskId} in sprint ${stream}${didYouMean(taskId, known)}`, {
    code: 'TASK_UNKNOWN',
    fix: known.length === 0 ? 'Add it to the manifest' : `Its tasks are ${known.join(', ')}`,
  });
}

/** What to do about a task that is not in the sprint that was meant. `undefined`: no other has one of that name. */
export function inOtherSprint(state: ProjectState, taskId: string): string | undefined {
  const [first, ...others] = [...state.streams.values()]
    .filter(({ tasks }) => tasks.has(taskId))
    .map(({ id }) => id);
  if (first === undefined) return undefined;
  const all = [first, ...others].join(' and ');
  return `${taskId} is in ${all}: --sprint ${shellWord(first)}`;
}
