import type { Project } from '../project/project.ts';
import { approve, deny } from './approval.ts';
import { approvalUnclear, approvalVerdictOf } from './approval-words.ts';
import { closeRequest, knownRequest, type Answerer, type CloseOutcome } from './close-request.ts';
import { explainFirst } from './explain-first.ts';
import { recordedWord, type AnswerInput } from './answer-input.ts';

/**
 * Answers a request, turns it down, or has it put in other words. The first answer wins; the outcome of a later one says who
 * was first. To a tool call that waits, a yes is for that call alone, and to have it rephrased sends it back with a question.
 *
 * @throws {CliffordError} `APPROVAL_UNCLEAR` when a tool call waits and the words are neither yes nor no, and what
 *   {@link recordedWord} throws.
 */
export async function answerRequest(
  project: Project,
  id: string,
  { by, via, ...said }: Answerer & AnswerInput,
): Promise<CloseOutcome> {
  const request = await knownRequest(project, id);
  const { response = '', rejected, rephrase } = said;
  if (request?.asked.approval) {
    if (rephrase) return explainFirst(project, id, { question: response, by, via });
    const verdict = approvalVerdictOf({ response, rejected });
    if (verdict === 'approved') return approve(project, id, { scope: 'once', response, by, via });
    if (verdict === 'denied') return deny(project, id, { reason: response, by, via });
    if (request.phase === 'open') throw approvalUnclear(request, response);
  }
  // Who was first is told whatever is said now.
  const word = request?.phase === 'open' ? recordedWord(request, said) : { response };
  return closeRequest(project, id, { type: 'help.answered', data: { requestId: id, ...word, by, via } });
}

/** Ends a request without an answer. The agent is told. A tool call that waits is refused. */
export function dismissRequest(
  project: Project,
  id: string,
  { reason, by, via }: Answerer & { reason?: string | undefined },
): Promise<CloseOutcome> {
  return closeRequest(project, id, { type: 'help.dismissed', data: { requestId: id, by, via, reason } });
}
