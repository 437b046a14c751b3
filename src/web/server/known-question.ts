import type { RequestState } from '../../machines/project-state.ts';
import { knownRequest } from '../../workflow/requests/close-request.ts';
import { notFound } from './refusal.ts';
import type { Serving } from './serving.ts';

/** The question, or the call that waits, of an id. @throws {Refusal} 404 where there is none */
export async function knownQuestion({ project }: Serving, id: string): Promise<RequestState> {
  const request = await knownRequest(project, id);
  if (!request) throw notFound(`question ${id}`);
  return request;
}
