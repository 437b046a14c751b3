import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import type { Answerer } from './close-request.ts';
import { notAnApproval, verbOf } from './decide-call.ts';
import { requestById } from './find-request.ts';

/** What became of calls that were decided together. */
export type Decided = {
  readonly decided: readonly RequestState[];
  /** Somebody was first, as each of them says. */
  readonly lost: readonly RequestState[];
};

/** A yes to each of some calls, for that call alone, or a no. `response`: why; of a no it is for the agents. */
export type WordToAll = {
  readonly verdict: 'approved' | 'denied';
  readonly response?: string | undefined;
};

/**
 * A human's word to each of these calls of one stream: an event for each, and all of them appended together. What somebody
 * has decided meanwhile is left out.
 *
 * @throws {CliffordError} `NOT_AN_APPROVAL` when no tool call waits for one of them, `CALLS_APART` when they are of several
 *   streams.
 */
export async function decideAll(
  project: Project,
  calls: readonly RequestState[],
  { verdict, response = verdict === 'approved' ? 'yes' : 'no', by, via }: WordToAll & Answerer,
): Promise<Decided> {
  const [first] = calls;
  if (!first) return { decided: [], lost: [] };
  const question = calls.find(({ asked }) => !asked.approval);
  if (question) throw notAnApproval(verbOf[verdict], question);
  const { stream } = first;
  const apart = calls.find((call) => call.stream !== stream);
  if (apart) throw callsApart(verbOf[verdict], first, apart);
  const word = { response, verdict, ...(verdict === 'approved' && { scope: 'once' as const }), by, via };
  let ids: readonly string[] = [];
  await project.dispatch(stream, ({ streams }) => {
    const requests = streams.get(stream)?.requests;
    const open = calls.filter(({ id }) => requests?.get(id)?.phase === 'open');
    ids = open.map(({ id }) => id);
    return open.map(({ id, taskId }) => ({
      type: 'help.answered' as const,
      subject: subjectOf(stream, taskId),
      data: { requestId: id, ...word },
    }));
  });
  const now = calls.map((call) => requestById(project.state, call.id) ?? call);
  const isOurs = ({ id }: RequestState) => ids.includes(id);
  return { decided: now.filter(isOurs), lost: now.filter((call) => !isOurs(call)) };
}

/** One append is of one stream: more than one could not be all or none. */
function callsApart(verb: string, one: RequestState, other: RequestState): CliffordError {
  const where = `${one.id} is of ${one.stream}, ${other.id} of ${other.stream}`;
  return new CliffordError(`Cannot ${verb} calls of several sprints together: ${where}`, {
    code: 'CALLS_APART',
    fix: 'Decide on those of each sprint by themselves',
    recovery: 'fix-input',
  });
}
