import { allowsCall, type Approval, type ApprovalScope } from '../../events/approval.ts';
import { subjectOf } from '../../events/envelope.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { isHumansWord } from '../../machines/humans-word.ts';
import { lastOfCall } from '../../machines/asked-calls.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import type { Agent } from '../project/agent.ts';
import { grantedBy, requireScope } from '../policy/grant.ts';
import type { Project } from '../project/project.ts';
import { newRequestId } from './ask.ts';
import { askOrJoin, originOf } from './ask-or-join.ts';
import { callName } from './call-name.ts';
import { wordFor } from './edited-call.ts';
import type { Answerer, CloseOutcome } from './close-request.ts';
import { decideCall } from './decide-call.ts';
import { explanationAfter } from './explain-first.ts';
import { briefArguments, shownArguments } from './shown-arguments.ts';

/** A call that waits for a human. */
export type CallToApprove = {
  readonly stream: string;
  readonly taskId?: string | undefined;
  readonly agent: Agent;
  /** `args` as the agent sent them, whole: what is kept for the human is made from them here. */
  readonly approval: Omit<Approval, 'args' | 'hidden' | 'explanation'> & { readonly args: unknown };
  /** What the agent has said since it last heard of a human: where that asked about the call, it is the answer. */
  readonly said?: string | undefined;
  /** How long the call waits, in ms. */
  readonly deadlineMs?: number | undefined;
};

/** How long the answer to a call that blocks no task waits for the call, in ms. */
const OUTSIDE_TASK_MS = 3_600_000;

/**
 * Asks a human whether a call may run. The same call (stream, task, digests of call and definition) that
 * waits already, whose yes no call has used while its task goes on, or whose no this agent has not received and holds
 * still, is joined instead.
 *
 * When the request ends, look at the policy again, since a yes may stand for more; then at
 * {@link claimApproval}, and where that says no, ask anew.
 *
 * @param before - As for {@link askOrJoin}.
 * @returns the request to wait for; it may be answered already.
 * @throws {IllegalDecision} when the agent's attempt has ended.
 */
export async function askApproval(
  project: Project,
  { stream, taskId, agent, approval, said, deadlineMs }: CallToApprove,
  before?: () => readonly Candidate[],
): Promise<RequestState> {
  const requestId = newRequestId();
  const shown = shownArguments(approval.args, project.hideSecrets);
  const { change } = approval;
  const choose = (state: ProjectState) => {
    const earlier = lastOfCall(state.streams.get(stream), { ...approval, task: taskId });
    if (earlier && isJoined(earlier, approval.callDigest, agent)) return earlier;
    return {
      requestId,
      kind: 'approval' as const,
      question: `Allow ${callName(approval)} ${briefArguments(shown)}?`,
      task: taskId,
      deadlineMs,
      ...(earlier === undefined ? {} : { follows: earlier.id }),
      approval: {
        ...approval,
        ...shown,
        ...explanationAfter(earlier, said),
        ...(change === undefined ? {} : { change: change.slice(0, MAX_TEXT_LENGTH) }),
      },
      origin: originOf(agent),
    };
  };
  return askOrJoin(project, stream, choose, before);
}

/**
 * A human's yes to a call: to it alone, or, with a wider scope, to every call of the tool as it is defined
 * now, within its task, its sprint, or always. The definition counts as known from then on.
 *
 * @throws {CliffordError} `NOT_AN_APPROVAL` when no tool call waits for it, `SCOPE_IMPOSSIBLE` for a task
 *   or sprint that the call is not part of.
 */
export function approve(
  project: Project,
  id: string,
  { scope, by, via, response = 'yes' }: Answerer & { scope: ApprovalScope; response?: string | undefined },
): Promise<CloseOutcome> {
  const word = { verdict: 'approved', scope, response, by, via } as const;
  return decideCall(project, id, word, (state, request) => {
    requireScope(state, request, scope);
    return grantedBy(state, request, { scope, by });
  });
}

/**
 * A human's no to a call. The reason is for the agent.
 *
 * @throws {CliffordError} `NOT_AN_APPROVAL` when no tool call waits for it.
 */
export function deny(
  project: Project,
  id: string,
  { reason = 'no', by, via }: Answerer & { reason?: string | undefined },
): Promise<CloseOutcome> {
  return decideCall(project, id, { verdict: 'denied', response: reason, by, via });
}

/**
 * Takes the yes of an approved request for this call, and records `tool.allowed` for it. True for exactly
 * one call, in whatever process, and again for the same one; false without a yes.
 *
 * That the call is the one that the yes is for ({@link wordFor}), and its tool still defined so, is for the caller to
 * see to.
 */
export async function claimApproval(
  project: Project,
  { stream, id, taskId }: Pick<RequestState, 'stream' | 'id' | 'taskId'>,
  callId: string,
): Promise<boolean> {
  await project.dispatch(stream, (state) => {
    const { answer, usedBy, hasLapsed } = state.streams.get(stream)?.requests.get(id) ?? {};
    if (!answer || !allowsCall(answer.verdict) || usedBy !== undefined || hasLapsed) return [];
    return [
      {
        type: 'tool.allowed',
        subject: subjectOf(stream, taskId),
        data: { callId, by: answer.by, requestId: id },
      },
    ];
  });
  return project.state.streams.get(stream)?.requests.get(id)?.usedBy === callId;
}

/** Gives back the yes that a call has taken whose agent never heard of it: the same call may take it again. */
export async function giveBackApproval(
  project: Project,
  { stream, id, taskId }: Pick<RequestState, 'stream' | 'id' | 'taskId'>,
  callId: string,
): Promise<void> {
  const withheld = { type: 'tool.withheld', subject: subjectOf(stream, taskId) } as const;
  await project.record(stream, [{ ...withheld, data: { callId, requestId: id } }]);
}

/** Whether a call may wait for the end of this request, or take it. */
function isJoined(request: RequestState, callDigest: string, agent: Agent): boolean {
  const { phase, answer, deliveredTo, hasLapsed } = request;
  if (phase === 'open') return true;
  // A wider yes lives on as a rule, and ends with it.
  if (wordFor(request, callDigest) === 'yes')
    return (answer?.scope ?? 'once') === 'once' && mayUse(request, agent);
  // Nobody is told to make a call that is not allowed any more.
  if (hasLapsed) return false;
  if (!isHumansWord(request) || deliveredTo.includes(agent.id)) return false;
  // Nor would anything ever end a no: once an agent has it, it is over.
  return request.taskId !== undefined || (deliveredTo.length === 0 && isFresh(request, agent));
}

/**
 * Whether the yes is there for this agent: for whoever works on its task, until that ends. Where it blocks no task,
 * nothing would ever end it: it is there for a while, for the same program.
 */
function mayUse(request: RequestState, agent: Agent): boolean {
  if (request.usedBy !== undefined || request.hasLapsed) return false;
  return request.taskId !== undefined || isFresh(request, agent);
}

function isFresh({ asked, askedAt, answer }: RequestState, agent: Agent): boolean {
  const since = Date.parse(answer?.at ?? askedAt);
  return asked.origin.client === agent.client && Date.now() - since < OUTSIDE_TASK_MS;
}
