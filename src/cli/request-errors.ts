import { CliffordError } from '../errors.ts';
import type { RequestState } from '../machines/project-state.ts';
import { closedBy } from '../workflow/requests/outcome-text.ts';

/** Someone else closed the request first, or it is gone: who, and with what. */
export function lostRace(
  action: 'answer' | 'dismiss',
  id: string,
  request: RequestState | undefined,
): CliffordError {
  return new CliffordError(
    `Cannot ${action} ${id}: ${request ? closedBy(request) : 'no request has that id'}`,
    {
      code: 'REQUEST_CLOSED',
      fix: 'See what is open with: clifford status',
      recovery: 'give-up',
    },
  );
}

/** An answer without words would only send the agent back with the same question. */
export function emptyText(name: string): CliffordError {
  return new CliffordError(`Cannot answer ${name}: the answer is empty`, {
    code: 'ANSWER_EMPTY',
    fix: `Say something, or end the question with: clifford dismiss ${name}`,
    recovery: 'fix-input',
  });
}
