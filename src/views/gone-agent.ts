import type { AgentRun, SprintState } from '../machines/project-state.ts';

/** Whether the log says that an agent works on a task, and there is no such process on this machine. */
export function isAgentGone(
  { job, tasks }: Pick<SprintState, 'job' | 'tasks'>,
  id: string,
  isAlive: (agent: AgentRun) => boolean,
): boolean {
  // Of those of a worker this machine knows nothing.
  if (job !== undefined) return false;
  const task = tasks.get(id);
  if (task?.offer?.phase === 'taken') return false;
  const agent = task?.agent;
  // A runner that was killed has not said that its agent ended.
  return agent !== undefined && agent.runId === task?.machine.context.runId && !isAlive(agent);
}
