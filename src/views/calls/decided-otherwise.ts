import type { ApprovalVerdict } from '../../events/approval.ts';
import type { Asked } from '../sprints/task-about.ts';

/** What a call that did not run as it was made is called: sent back with a human's question, or another one was allowed in its place. */
export const otherWords = ['queried', 'changed'] as const;
/** See {@link otherWords}. */
export type OtherWord = (typeof otherWords)[number];

const words: Partial<Record<ApprovalVerdict, OtherWord>> = { questioned: 'queried', edited: 'changed' };

/**
 * What a call that a human did not let run is called where they sent it back, or changed it.
 *
 * @param request - By which they did, by its id.
 */
export function decidedOtherwise(
  sprint: Asked | undefined,
  request: string | undefined,
): OtherWord | undefined {
  const verdict = request === undefined ? undefined : sprint?.requests.get(request)?.answer?.verdict;
  return verdict && words[verdict];
}
