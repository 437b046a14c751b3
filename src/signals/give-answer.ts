import { CliffordError } from '../errors.ts';
import { questionsOf } from '../events/form/form.ts';
import { readAnswers } from '../events/form/read-answers.ts';
import type { RequestState } from '../machines/project-state.ts';
import type { Project } from '../workflow/project/project.ts';
import { answerRequest } from '../workflow/requests/answer.ts';
import { approvalUnclear, approvalVerdictOf } from '../workflow/requests/approval-words.ts';
import { optionWithText } from '../lib/text/option-meant.ts';
import { answersUnfit, recordedWord, type AnswerInput } from '../workflow/requests/answer-input.ts';
import { closedBy } from '../workflow/requests/outcome-text.ts';
import { withShownAnswer } from '../views/calls/shown-words.ts';
import type { GivenAnswer } from './read-answer.ts';

/** Hands an answer to the log. The text of an option picks it. */
export async function giveAnswer(
  project: Project,
  request: RequestState,
  given: GivenAnswer,
): Promise<{ accepted: boolean; request: RequestState }> {
  const outcome = await answerRequest(project, request.id, {
    ...saidBy(request, given),
    by: 'file',
    via: 'file',
  });
  if (!outcome.request) throw new Error(`request ${request.id} is missing while it is answered`);
  return { accepted: outcome.accepted, request: outcome.request };
}

/** Whether an answer that has been recorded is this one. */
export function isSame(request: RequestState, given: GivenAnswer): boolean {
  try {
    return request.answer?.response === recordedWord(request, saidBy(request, given)).response;
  } catch (error) {
    if (error instanceof CliffordError) return false;
    throw error;
  }
}

function saidBy(request: RequestState, { response, answers, rejected, rephrase }: GivenAnswer): AnswerInput {
  const option = optionWithText(request.asked.options ?? [], response);
  if (answers === undefined) return { response, option, rejected, rephrase };
  const read = readAnswers(questionsOf(request.asked), answers);
  if ('problem' in read) throw answersUnfit(request, read.problem);
  return read;
}

/** Why an answer answers nothing. */
export function unknownReason(requestId: string): string {
  return `no request has the id ${requestId}`;
}

/**
 * Why an answer is none. Of several questions, what does not fit them. Where a tool call waits, a file can only refuse it, and
 * at a program's prompt it says nothing: whoever may write below the project may write a file, and the agent that waits is one of them.
 */
export function unfitReason(request: RequestState, given: GivenAnswer): string | undefined {
  if (request.phase !== 'open') return undefined;
  const { approval, kind } = request.asked;
  if (kind === 'prompt')
    return `a file cannot answer a program's prompt, since an agent could write it: run clifford answer ${request.id}, or answer on the screen`;
  if (!approval) return unfitAnswer(request, given);
  const verdict = approvalVerdictOf(given);
  if (verdict === 'denied') return undefined;
  if (verdict === undefined) return approvalUnclear(request, given.response).message;
  return `a file cannot allow a tool call, since an agent could write it: run clifford approve ${request.id}, or answer on the screen`;
}

function unfitAnswer(request: RequestState, given: GivenAnswer): string | undefined {
  try {
    recordedWord(request, saidBy(request, given));
    return undefined;
  } catch (error) {
    if (error instanceof CliffordError) return error.message;
    throw error;
  }
}

/** Why an answer came too late. */
export function lateReason(request: RequestState): string {
  return `request ${request.id} is closed: ${closedBy(withShownAnswer(request))}`;
}
