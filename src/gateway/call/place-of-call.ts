import type { RequestState, SprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import type { CallPlace, ToolCall } from './tool.ts';

/** Who calls, as far as it says where a call belongs. */
export type Caller = Pick<ToolCall, 'project' | 'agent' | 'session'>;

/**
 * What a call is about that names no task: the task of this agent's attempt, else the only active one (or, while all
 * wait, the only blocked one) of the agent's sprint, else the sprint.
 *
 * @param isSame - Whether a request is of the same call. While this agent may still wait for its end, the call stays
 *   where it was asked, though other tasks may be active by now.
 */
export async function placeOfCall(
  { project, agent, session }: Caller,
  isSame: (asked: RequestState['asked']) => boolean = () => false,
): Promise<CallPlace> {
  const own = ownTask(project.state, agent, session);
  if (own) return { stream: own.sprint.id, taskId: own.task.id };
  const stream = await homeStream(project, agent, session);
  const sprint = project.state.streams.get(stream);
  if (!sprint) return { stream };
  const earlier = [...sprint.requests.values()].findLast(
    ({ asked, deliveredTo }) => isSame(asked) && !deliveredTo.includes(agent.id),
  );
  const taskId = earlier ? earlier.asked.task : (onlyTask(sprint, 'active') ?? onlyTask(sprint, 'blocked'));
  return taskId !== undefined && sprint.tasks.has(taskId) ? { stream, taskId } : { stream };
}

/** The task of a sprint in this state, if there is just one. */
function onlyTask({ tasks }: SprintState, word: 'active' | 'blocked'): string | undefined {
  const [first, second] = [...tasks.values()].filter(({ machine }) => wordOf(machine.value) === word);
  return second === undefined ? first?.id : undefined;
}
