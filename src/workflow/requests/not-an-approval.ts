import { CliffordError } from '../../errors.ts';
import type { RequestState } from '../../machines/project-state.ts';

/** Somebody decided on a question as if a tool call waited for it. */
export function notAnApproval(verb: string, { id, asked }: RequestState): CliffordError {
  const what = asked.kind === 'prompt' ? 'it is a prompt of a program' : 'it is a question, not a tool call';
  return new CliffordError(`Cannot ${verb} ${id}: ${what}`, {
    code: 'NOT_AN_APPROVAL',
    fix: `Answer it with: clifford answer ${id} "…"`,
  });
}
