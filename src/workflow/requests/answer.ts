import { subjectOf } from '../../events/envelope.ts';
import type { Answer, Dismissal, RequestState } from '../../machines/project-state.ts';
import { IllegalDecision } from '../illegal-decision.ts';
import type { Project } from '../project.ts';
import { requestById } from './find-request.ts';

/** Who answers, and through which face: `tui`, `cli`, `web`, `file`, `api`. */
export type Answerer = { readonly by: string; readonly via: string };

/** What became of an answer or a dismissal. */
export type Outcome =
  | { readonly accepted: true; readonly request: RequestState }
  /** Someone was first: with this answer, or this dismissal. */
  | {
      readonly accepted: false;
      readonly request: RequestState;
      readonly answer?: Answer;
      readonly dismissal?: Dismissal;
    }
  | { readonly accepted: false; readonly request: undefined };

/** Answers a request, or turns it down. The first answer wins; the outcome of a later one says who was first. */
export function answerRequest(
  project: Project,
  id: string,
  { response, option, rejected, by, via }: Answerer & { response: string; option?: number; rejected?: true },
): Promise<Outcome> {
  const picked = option === undefined ? {} : { option };
  const turnedDown = rejected === undefined ? {} : { rejected };
  return close(project, id, {
    type: 'help.answered',
    data: { requestId: id, response, by, via, ...picked, ...turnedDown },
  });
}

/** Ends a request without an answer. The agent is told. */
export function dismissRequest(
  project: Project,
  id: string,
  { reason, by, via }: Answerer & { reason?: string },
): Promise<Outcome> {
  const why = reason === undefined ? {} : { reason };
  return close(project, id, { type: 'help.dismissed', data: { requestId: id, by, via, ...why } });
}

async function close(
  project: Project,
  id: string,
  fact:
    | { type: 'help.answered'; data: { requestId: string; response: string } & Answerer }
    | { type: 'help.dismissed'; data: { requestId: string } & Answerer },
): Promise<Outcome> {
  const known = requestById(project.state, id) ?? requestById(await project.refresh(), id);
  if (!known) return { accepted: false, request: undefined };
  const subject = subjectOf(known.stream, known.taskId);
  try {
    await project.dispatch(known.stream, () => [{ ...fact, subject }]);
    return { accepted: true, request: requestById(project.state, id) ?? known };
  } catch (error) {
    if (!(error instanceof IllegalDecision)) throw error;
    const request = requestById(project.state, id) ?? known;
    const { answer, dismissal } = request;
    return {
      accepted: false,
      request,
      ...(answer === undefined ? {} : { answer }),
      ...(dismissal === undefined ? {} : { dismissal }),
    };
  }
}
