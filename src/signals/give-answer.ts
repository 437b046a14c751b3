import type { RequestState } from '../machines/project-state.ts';
import type { Project } from '../workflow/project/project.ts';
import { answerRequest } from '../workflow/requests/answer.ts';
import { approvalUnclear, approvalVerdictOf } from '../workflow/requests/approval-words.ts';
import { optionWithText } from '../lib/text/option-meant.ts';
import { closedBy } from '../workflow/requests/outcome-text.ts';
import type { GivenAnswer } from './read-answer.ts';

/** Hands an answer to the log. The text of an option picks it. */
export async function giveAnswer(
  project: Project,
  { id, asked }: RequestState,
  { response, rejected }: GivenAnswer,
): Promise<{ accepted: boolean; request: RequestState }> {
  const option = optionWithText(asked.options ?? [], response);
  const outcome = await answerRequest(project, id, {
    response,
    option,
    ...(rejected ? { rejected } : {}),
    by: 'file',
    via: 'file',
  });
  if (!outcome.request) throw new Error(`request ${id} is missing while it is answered`);
  return { accepted: outcome.accepted, request: outcome.request };
}

/** Why an answer answers nothing. */
export function unknownReason(requestId: string): string {
  return `no request has the id ${requestId}`;
}

/**
 * Why an answer is none: a tool call waits, and a file can only refuse it. Whoever may write below the project
 * may write a file, and the agent that waits for the yes is one of them.
 */
export function noVerdictReason(request: RequestState, given: GivenAnswer): string | undefined {
  if (request.phase !== 'open' || !request.asked.approval) return undefined;
  const verdict = approvalVerdictOf(given);
  if (verdict === 'denied') return undefined;
  if (verdict === undefined) return approvalUnclear(request, given.response).message;
  return `a file cannot allow a tool call, since an agent could write it: run clifford approve ${request.id}, or answer on the screen`;
}

/** Why an answer came too late. */
export function lateReason(request: RequestState): string {
  return `request ${request.id} is closed: ${closedBy(request)}`;
}
