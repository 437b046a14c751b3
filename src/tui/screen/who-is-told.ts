import { parkedFor } from '../../machines/parked.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requestById } from '../../workflow/requests/find-request.ts';

/** Whether an agent waits for the answer to a request now. */
export function isAwaited(project: Project, id: string): boolean {
  return (requestById(project.state, id)?.waiting.size ?? 0) > 0;
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
