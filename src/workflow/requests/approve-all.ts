import { subjectOf } from '../../events/envelope.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import type { Answerer } from './close-request.ts';
import { requestById } from './find-request.ts';
import { notAnApproval } from './not-an-approval.ts';

/** What became of calls that a human allowed together. */
export type Approved = {
  readonly approved: readonly RequestState[];
  /** Somebody was first, as each of them says. */
  readonly lost: readonly RequestState[];
};

/**
 * A human's yes to each of these calls of one stream, for that call alone: an event for each, and all of them appended
 * together. What somebody has decided meanwhile is left out.
 *
 * @throws {CliffordError} `NOT_AN_APPROVAL` when no tool call waits for one of them.
 */
export async function approveAll(
  project: Project,
  calls: readonly RequestState[],
  { by, via, response = 'yes' }: Answerer & { response?: string | undefined },
): Promise<Approved> {
  const [first] = calls;
  if (!first) return { approved: [], lost: [] };
  const question = calls.find(({ asked }) => !asked.approval);
  if (question) throw notAnApproval('approve', question);
  const { stream } = first;
  let ids: readonly string[] = [];
  await project.dispatch(stream, ({ streams }) => {
    const requests = streams.get(stream)?.requests;
    const open = calls.filter(({ id }) => requests?.get(id)?.phase === 'open');
    ids = open.map(({ id }) => id);
    return open.map(({ id, taskId }) => ({
      type: 'help.answered' as const,
      subject: subjectOf(stream, taskId),
      data: { requestId: id, response, verdict: 'approved' as const, scope: 'once' as const, by, via },
    }));
  });
  const now = calls.map((call) => requestById(project.state, call.id) ?? call);
  const isOurs = ({ id }: RequestState) => ids.includes(id);
  return { approved: now.filter(isOurs), lost: now.filter((call) => !isOurs(call)) };
}
