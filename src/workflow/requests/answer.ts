import type { Project } from '../project/project.ts';
import { approve, deny } from './approval.ts';
import { approvalUnclear, approvalVerdictOf } from './approval-words.ts';
import { closeRequest, knownRequest, type Answerer, type CloseOutcome } from './close-request.ts';

/**
 * Answers a request, or turns it down. The first answer wins; the outcome of a later one says who was
 * first. To a tool call that waits, a yes is for that call alone.
 *
 * @throws {CliffordError} `APPROVAL_UNCLEAR` when a tool call waits and the words are neither yes nor no.
 */
export async function answerRequest(
  project: Project,
  id: string,
  {
    response,
    option,
    rejected,
    by,
    via,
  }: Answerer & { response: string; option?: number | undefined; rejected?: true | undefined },
): Promise<CloseOutcome> {
  const request = await knownRequest(project, id);
  if (request?.asked.approval) {
    const verdict = approvalVerdictOf({ response, rejected });
    if (verdict === 'approved') return approve(project, id, { scope: 'once', response, by, via });
    if (verdict === 'denied') return deny(project, id, { reason: response, by, via });
    if (request.phase === 'open') throw approvalUnclear(request, response);
  }
  return closeRequest(project, id, {
    type: 'help.answered',
    data: { requestId: id, response, by, via, option, rejected },
  });
}

/** Ends a request without an answer. The agent is told. A tool call that waits is refused. */
export function dismissRequest(
  project: Project,
  id: string,
  { reason, by, via }: Answerer & { reason?: string | undefined },
): Promise<CloseOutcome> {
  return closeRequest(project, id, { type: 'help.dismissed', data: { requestId: id, by, via, reason } });
}
