import type { RequestState, SprintState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import { normalise } from '../../workflow/requests/ask.ts';
import type { Place, ToolCall } from './tool.ts';

/**
 * Whose clarification it is: of the task of this agent's attempt, else of the only active task (or, while
 * all wait, the only blocked one) of the agent's sprint, else of the sprint.
 *
 * The same words stay where they were asked, though other tasks may be active by now.
 */
export async function clarificationPlace(
  question: string,
  { project, agent, session }: ToolCall,
): Promise<Place> {
  const own = ownTask(project.state, agent, session);
  if (own) return { stream: own.sprint.id, taskId: own.task.id };
  const stream = await homeStream(project, agent, session);
  const sprint = project.state.streams.get(stream);
  if (!sprint) return { stream };
  const earlier = askedBefore(sprint, project.asLogged(question), agent.id);
  const taskId = earlier ? earlier.asked.task : (onlyTask(sprint, 'active') ?? onlyTask(sprint, 'blocked'));
  return taskId !== undefined && sprint.tasks.has(taskId) ? { stream, taskId } : { stream };
}

/** A clarification in these words that this agent may still wait for. */
function askedBefore({ requests }: SprintState, question: string, agentId: string): RequestState | undefined {
  const words = normalise(question);
  return [...requests.values()].findLast(
    ({ asked, deliveredTo }) =>
      asked.kind === 'clarification' && normalise(asked.question) === words && !deliveredTo.includes(agentId),
  );
}

/** The task of a sprint in this state, if there is just one. */
export function onlyTask({ tasks }: SprintState, word: 'active' | 'blocked'): string | undefined {
  const [first, second] = [...tasks.values()].filter(({ machine }) => wordOf(machine.value) === word);
  return second === undefined ? first?.id : undefined;
}
