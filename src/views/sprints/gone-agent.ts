import type { RequestState, SprintState } from '../../machines/project-state.ts';
import type { AgentRun } from '../../machines/task-state.ts';

/** Whether the log says that an agent works on a task, and there is no such process on this machine. */
export function isAgentGone(
  { job, tasks }: Pick<SprintState, 'job' | 'tasks'>,
  id: string,
  isAlive: IsAlive,
): boolean {
  // Of those of a worker this machine knows nothing.
  if (job !== undefined) return false;
  const task = tasks.get(id);
  if (task?.offer?.phase === 'taken') return false;
  const agent = task?.agent;
  // A runner that was killed has not said that its agent ended.
  return agent !== undefined && agent.runId === task?.machine.context.runId && !isAlive(agent);
}

/** Whether that very process still lives. */
export type IsAlive = (agent: AgentRun) => boolean;

/** For whoever sees no processes: an agent lives until the log says that it has ended. */
export const byLogAlone: IsAlive = () => true;

/** Whether an agent's call waits for the end of a request: one that was killed has not said that it waits no more. */
export function isAwaited(
  sprint: Pick<SprintState, 'job' | 'tasks'> | undefined,
  { waiting, taskId, asked }: Pick<RequestState, 'waiting' | 'taskId' | 'asked'>,
  isAlive: IsAlive,
): boolean {
  if (waiting.size === 0) return false;
  const task = taskId ?? asked.task;
  return task === undefined || sprint === undefined || !isAgentGone(sprint, task, isAlive);
}
