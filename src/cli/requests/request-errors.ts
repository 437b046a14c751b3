import { CliffordError } from '../../errors.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { closedBy } from '../../workflow/requests/outcome-text.ts';
import { withShownAnswer } from '../../views/calls/shown-words.ts';

/** What a person does to a request. */
export type CloseVerb = 'answer' | 'dismiss' | 'approve' | 'deny' | 'ask about';

/** Someone else closed the request first, or it is gone: who, and with what. */
export function lostRace(action: CloseVerb, id: string, request: RequestState | undefined): CliffordError {
  return new CliffordError(
    `Cannot ${action} ${id}: ${request ? closedBy(withShownAnswer(request), Date.now()) : 'no question has that id'}`,
    {
      code: 'REQUEST_CLOSED',
      fix: 'See what is open with: clifford questions',
      recovery: 'give-up',
    },
  );
}

/** `--option` named none of those the agent offers. */
export function unknownOption(id: string, named: string, options: readonly string[]): CliffordError {
  const offered = options.map((option, at) => `${at + 1} (${option})`).join(', ');
  return new CliffordError(
    `Cannot answer ${id} with option ${named}: ${options.length === 0 ? 'it offers none' : `it offers ${offered}`}`,
    {
      code: 'OPTION_UNKNOWN',
      fix: `${options.length === 0 ? 'Say' : 'Name one of them by number or text, or say'} it in your own words: clifford answer ${id} "…"`,
    },
  );
}

/** An answer without words would only send the agent back with the same question. */
export function emptyText(name: string, what: 'answer' | 'reason'): CliffordError {
  return new CliffordError(`Cannot answer ${name}: the ${what} is empty`, {
    code: 'ANSWER_EMPTY',
    fix: `Say something, or end the question with: clifford dismiss ${name}`,
  });
}
