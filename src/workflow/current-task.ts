import type { RequestState, SprintState, TaskState } from '../machines/project-state.ts';
import { readyTasks } from '../machines/ready-tasks.ts';
import { wordOf } from '../machines/words.ts';

/** The task an agent is to work on: its attempt's, else the first active or blocked, else the first ready. */
export function currentTask(sprint: SprintState, runId: string | undefined): TaskState | undefined {
  const tasks = [...sprint.tasks.values()];
  const own = runId === undefined ? undefined : tasks.find(({ machine }) => machine.context.runId === runId);
  const underWay = tasks.find(({ machine: { value } }) => ['active', 'blocked'].includes(wordOf(value)));
  return own ?? underWay ?? readyTasks(sprint)[0];
}

/** Answers about a task, or about its sprint, that no agent has received, oldest first. */
export function undelivered(sprint: SprintState, taskId: string | undefined): RequestState[] {
  return [...sprint.requests.values()].filter(
    (request) => request.phase === 'answered' && (request.taskId === undefined || request.taskId === taskId),
  );
}
