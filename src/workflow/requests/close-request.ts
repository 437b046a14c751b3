import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import type { Fact } from '../../machines/fact.ts';
import { IllegalDecision } from '../project/illegal-decision.ts';
import type { Project } from '../project/project.ts';
import { requestById } from './find-request.ts';

/** Who answers, and through which face: `tui`, `cli`, `web`, `file`, `api`. */
export type Answerer = { readonly by: string; readonly via: string };

/** What became of an answer or a dismissal. */
export type CloseOutcome =
  | { readonly accepted: true; readonly request: RequestState }
  /** Someone was first, as the request says; `undefined`: there is none. */
  | { readonly accepted: false; readonly request: RequestState | undefined };

/** The request of this id in the newest state, if there is one. */
export async function knownRequest(project: Project, id: string): Promise<RequestState | undefined> {
  return requestById(project.state, id) ?? requestById(await project.refresh(), id);
}

/**
 * Closes a request, unless somebody was first.
 *
 * @param also - What else is decided with it, on the state it is decided on: all of it, or nothing.
 */
export async function closeRequest(
  project: Project,
  id: string,
  fact: Fact<'help.answered'> | Fact<'help.dismissed'>,
  also: (state: ProjectState, request: RequestState) => readonly Candidate[] = () => [],
): Promise<CloseOutcome> {
  const known = await knownRequest(project, id);
  if (!known) return { accepted: false, request: undefined };
  const candidate: Candidate = { ...fact, subject: subjectOf(known.stream, known.taskId) };
  try {
    await project.dispatch(known.stream, (state) => [candidate, ...also(state, known)]);
    return { accepted: true, request: requestById(project.state, id) ?? known };
  } catch (error) {
    if (!(error instanceof IllegalDecision)) throw error;
    return { accepted: false, request: requestById(project.state, id) ?? known };
  }
}
