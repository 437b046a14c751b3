import { CliffordError } from '../../errors.ts';
import type { ApprovalScope, EditedCall } from '../../events/approval.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { closeRequest, type Answerer, type CloseOutcome } from './close-request.ts';

/** What a human says to a call. */
export type CallWord =
  | { readonly verdict: 'approved'; readonly scope: ApprovalScope; readonly response: string }
  | { readonly verdict: 'edited'; readonly edited: EditedCall; readonly response: string }
  | { readonly verdict: 'denied' | 'questioned'; readonly response: string };

/** What whoever says so does, as an infinitive. */
export const verbOf = {
  approved: 'approve',
  denied: 'deny',
  edited: 'edit',
  questioned: 'send back',
} as const;

/**
 * A human's word to a call that waits, unless somebody was first.
 *
 * @param also - What else is decided with it: all of it, or nothing.
 * @throws {CliffordError} `NOT_AN_APPROVAL` when no tool call waits for it, and what `also` throws.
 */
export function decideCall(
  project: Project,
  id: string,
  { by, via, ...word }: CallWord & Answerer,
  also: (state: ProjectState, request: RequestState) => readonly Candidate[] = () => [],
): Promise<CloseOutcome> {
  const data = { requestId: id, ...word, by, via };
  return closeRequest(project, id, { type: 'help.answered', data }, (state, request) => {
    if (!request.asked.approval) throw notAnApproval(verbOf[word.verdict], request);
    return also(state, request);
  });
}

/** Somebody decided on a question as if a tool call waited for it. */
export function notAnApproval(verb: string, { id, asked }: RequestState): CliffordError {
  const what = asked.kind === 'prompt' ? 'it is a prompt of a program' : 'it is a question, not a tool call';
  return new CliffordError(`Cannot ${verb} ${id}: ${what}`, {
    code: 'NOT_AN_APPROVAL',
    fix: `Answer it with: clifford answer ${id} "…"`,
  });
}
