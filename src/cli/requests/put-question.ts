import type { RequestState } from '../../machines/project-state.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { AgentContext } from '../../workflow/project/agent-context.ts';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import type { Project } from '../../workflow/project/project.ts';
import { ask, type Question } from '../../workflow/requests/ask.ts';

/** Puts a question where it belongs: about the task it names, else about the one its agent works on. */
export async function putQuestion(
  project: Project,
  {
    sprint,
    agent,
    context: surroundings,
    question,
  }: { sprint: string | undefined; agent: Agent; context: AgentContext; question: Question },
): Promise<RequestState> {
  const stream =
    sprint === undefined
      ? await homeStream(project, agent, surroundings)
      : await enterChosenSprint(project, sprint);
  const own = ownTask(project.state, agent, surroundings);
  const task = question.task ?? (own?.sprint.id === stream ? own.task.id : undefined);
  return ask(project, { ...question, ...(task === undefined ? {} : { task }), stream, agent });
}
