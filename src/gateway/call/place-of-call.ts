import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import { onlyTask } from './clarification-place.ts';
import type { Place, ToolCall } from './tool.ts';

/** Who calls, as far as it says where a call belongs. */
export type Caller = Pick<ToolCall, 'project' | 'agent' | 'session'>;

/**
 * What a call of another server is about: the task of this agent's attempt, else the only active task (or, while all
 * wait, the only blocked one) of the agent's sprint, else the sprint.
 *
 * @param callDigest - Of a call that may have been asked about: it stays where it was asked.
 */
export async function placeOfCall({ project, agent, session }: Caller, callDigest?: string): Promise<Place> {
  const own = ownTask(project.state, agent, session);
  if (own) return { stream: own.sprint.id, taskId: own.task.id };
  const stream = await homeStream(project, agent, session);
  const sprint = project.state.streams.get(stream);
  if (!sprint) return { stream };
  const earlier = [...sprint.requests.values()].findLast(
    ({ asked, deliveredTo }) =>
      callDigest !== undefined &&
      asked.approval?.callDigest === callDigest &&
      !deliveredTo.includes(agent.id),
  );
  const taskId = earlier ? earlier.asked.task : (onlyTask(sprint, 'active') ?? onlyTask(sprint, 'blocked'));
  return taskId !== undefined && sprint.tasks.has(taskId) ? { stream, taskId } : { stream };
}
