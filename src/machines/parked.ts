import type { ProjectState, RequestState } from './project-state.ts';
import type { TaskState } from './task-state.ts';
import { wordOf } from './status-words.ts';

/** Since when the agent of a task is parked, RFC 3339: nothing of it runs until a human has answered. `undefined`: it is not. */
export function parkedSince({ agent, machine: { value, context } }: TaskState): string | undefined {
  return wordOf(value) === 'blocked' && context.runId === null ? agent?.parkedAt : undefined;
}

/** Since when the agent is parked that the answer to this question starts again, RFC 3339. */
export function parkedFor(
  { streams }: Pick<ProjectState, 'streams'>,
  { stream, taskId = '', phase }: RequestState,
): string | undefined {
  const task = phase === 'open' ? streams.get(stream)?.tasks.get(taskId) : undefined;
  return task && parkedSince(task);
}
