import { isAlive } from '../../lib/processes/process-identity.ts';
import { parkedFor } from '../../machines/parked.ts';
import { isAgentGone, isAwaited as isAwaitedNow } from '../../views/sprints/gone-agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requestById } from '../../workflow/requests/find-request.ts';

/** Ids of the tasks of a sprint whose agents are gone, and nothing recorded that. */
export function goneAgents({ state }: Pick<Project, 'state'>, stream: string): string[] {
  const sprint = state.streams.get(stream);
  return sprint ? [...sprint.tasks.keys()].filter((id) => isAgentGone(sprint, id, isAlive)) : [];
}

/** Whether an agent waits for the answer to a request now. */
export function isAwaited({ state }: Pick<Project, 'state'>, id: string): boolean {
  const request = requestById(state, id);
  return request !== undefined && isAwaitedNow(state.streams.get(request.stream), request, isAlive);
}

/** Whether its agent was ended, to be started again with the answer. */
export function isParked(project: Project, id: string): boolean {
  const request = requestById(project.state, id);
  return request !== undefined && parkedFor(project.state, request) !== undefined;
}

/** Who hears what is said to it. */
export function whoIsTold(project: Project, id: string): string {
  return isAwaited(project, id) || isParked(project, id) ? 'the agent' : 'the next attempt';
}
