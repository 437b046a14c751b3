import { tellsWhatToDo } from '../../events/approval.ts';
import type { EventData } from '../../events/catalog.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { waitedText } from '../../lib/time/duration.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import { askApproval, claimApproval, giveBackApproval } from '../../workflow/requests/approval.ts';
import { recordAttached, recordDelivery, recordDetached } from '../../workflow/requests/deliver.ts';
import { wordFor } from '../../workflow/requests/edited-call.ts';
import { holdCall } from '../../workflow/requests/held-call.ts';
import { replyText } from '../../workflow/requests/reply-text.ts';
import { digestOf } from '../../lib/digest.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import { unlessSettled } from '../wait/unless-settled.ts';
import { endOf } from '../wait/wait-for-human.ts';
import type { AgentCall, PermissionWord } from './agent-call.ts';
import { judgeAgentCall, type AgentJudgement } from './agent-judge.ts';
import { serverOfAgent } from './agent-server.ts';
import type { HeldPolicy } from './held-policy.ts';
import { requestedData } from './requested-data.ts';

/** Who asks for permission, and where it works. */
export type Permissions = {
  readonly project: Project;
  readonly agent: Agent;
  /** The agent's name. */
  readonly name: string;
  readonly stream: string;
  readonly taskId?: string;
  readonly policy: HeldPolicy;
  /** Whether who asks still lives: a yes is not used up by one that has ended, also before that was noticed. Default: it does. */
  readonly isAlive?: () => boolean;
  /** Told of each request that a human decides by, which may be answered already. */
  readonly onAsked?: (request: RequestState) => void;
};

/** What is known of a call beside what it is. */
type KnownOfCall = {
  readonly callId: string;
  readonly isRecorded: boolean;
  /** What the agent has said in this turn so far. */
  readonly said?: string | undefined;
};

/** Who ends a question that a rule has answered meanwhile. */
const SETTLED_BY = { by: 'clifford', via: 'acp' } as const;

/**
 * Decides what an agent asks permission for: by the policy, else by a human, who is waited for. What was decided is
 * recorded before it returns. A yes is for exactly this call; the same call that was asked about before, by an attempt
 * that has ended, goes on waiting, or takes the answer.
 *
 * @param signal - Aborts when nobody waits for the word any more. The question stays open.
 * @throws {CliffordError} `ATTEMPT_ENDED`
 */
export async function permitCall(
  call: AgentCall,
  { callId, isRecorded, said }: KnownOfCall,
  deps: Permissions,
  signal: AbortSignal,
): Promise<PermissionWord> {
  const { project, stream } = deps;
  const judged = judgedCall(call, deps);
  const record = new CallRecord(judged, callId, deps);
  if (isRecorded) record.wasRecorded();
  // Nothing runs by what only a snapshot says.
  await project.confirm(stream);
  for (;;) {
    if (signal.aborted) return { is: 'cancelled' };
    const decision = await judgeAgentCall(project, judged, deps.policy);
    if (decision.decision === 'allow') {
      await record.decided({ type: 'tool.allowed', data: { callId, rule: decision.rule } });
      return { is: 'allowed' };
    }
    if (decision.decision === 'deny') {
      await record.decided({ type: 'tool.denied', data: { callId, rule: decision.rule } });
      return { is: 'refused', reason: decision.reason };
    }
    const word = await askHuman({ judged, decision, callId, said, record }, deps, signal);
    if (word) return word;
  }
}

/** The call as the policy sees it. */
export function judgedCall(call: AgentCall, { name, stream, taskId }: Permissions): AgentGateCall {
  const digest = digestOf([serverOfAgent(name), call.kind, call.args]);
  return { ...call, agent: name, digest, stream, taskId };
}

type Asked = {
  readonly judged: AgentGateCall;
  readonly decision: AgentJudgement;
  readonly callId: string;
  readonly said: string | undefined;
  readonly record: CallRecord;
};

/** The human's word; `undefined`: the policy has come to decide it, or another call has used the yes. */
async function askHuman(
  asked: Asked,
  deps: Permissions,
  signal: AbortSignal,
): Promise<PermissionWord | undefined> {
  const { judged, decision, callId, said, record } = asked;
  const { project, agent, stream, taskId } = deps;
  const request = await askApproval(
    project,
    {
      stream,
      taskId,
      agent,
      deadlineMs: decision.deadlineMs,
      said,
      approval: {
        callId,
        server: serverOfAgent(deps.name),
        tool: judged.kind,
        isOwn: true,
        args: judged.args,
        callDigest: judged.digest,
        definitionDigest: digestOf([deps.name, judged.kind]),
        rule: decision.rule,
        trust: 'untrusted',
      },
    },
    record.before,
  );
  record.wasRecorded();
  if (request.phase === 'open' && !request.waiting.has(agent.id))
    await recordAttached(project, request, agent.id);
  const release = await holdCall(request, judged.args);
  deps.onAsked?.(request);
  const wait = await waitFor(request, asked, deps, signal).finally(release);
  if (wait.is === 'cancelled') return { is: 'cancelled' };
  if (wait.is === 'settled') return undefined;
  if (wait.is === 'expired') {
    const reason = `No human allowed it within ${waitedText(wait.afterMs)} (${decision.rule}). Do without it, and say so when you complete the task`;
    await record.decided({
      type: 'tool.denied',
      data: { callId, rule: `${decision.rule}: no human decided` },
    });
    return { is: 'refused', reason };
  }
  const ended = wait.request;
  await recordDelivery(project, [ended], agent.id);
  if (wordFor(ended, judged.digest) === 'yes') {
    // What a rule has come to refuse meanwhile does not run by an earlier yes.
    if ((await judgeAgentCall(project, judged, deps.policy)).decision === 'deny') return undefined;
    // The yes is kept for who asks for the same again.
    if (signal.aborted || deps.isAlive?.() === false || isOver(deps)) return { is: 'cancelled' };
    if (!(await claimApproval(project, ended, callId))) return undefined;
    return { is: 'allowed', giveBack: () => giveBackApproval(project, ended, callId) };
  }
  if (ended.dismissal?.via === SETTLED_BY.via) return undefined;
  const by = ended.answer?.by ?? ended.dismissal?.by ?? 'clifford';
  await record.decided({ type: 'tool.denied', data: { callId, by } });
  const reason = replyText(ended) ?? 'it was turned down';
  return { is: 'refused', reason, ...(tellsWhatToDo(ended.answer?.verdict) && { tellsWhatToDo: true }) };
}

/** The log says that its attempt is over, e.g. parked, also before it has ended. */
function isOver({ project, agent: { runId }, stream, taskId = '' }: Permissions): boolean {
  if (runId === undefined) return false;
  return project.state.streams.get(stream)?.tasks.get(taskId)?.machine.context.runId !== runId;
}

type Wait =
  | { readonly is: 'over'; readonly request: RequestState }
  | { readonly is: 'cancelled' }
  | { readonly is: 'expired'; readonly afterMs: number };

/** Until a human has decided, a rule does, the time is over, or nobody waits any more. */
async function waitFor(
  request: RequestState,
  { judged, decision: { deadlineMs } }: Asked,
  { project, agent, policy }: Permissions,
  signal: AbortSignal,
): Promise<Wait | { readonly is: 'settled' }> {
  let { policyRules: granted } = project.state;
  const onGrant = (look: () => void) =>
    project.subscribe(() => {
      if (project.state.policyRules === granted) return;
      granted = project.state.policyRules;
      look();
    });
  const settling = {
    project,
    request,
    isLeftToHuman: async () => (await judgeAgentCall(project, judged, policy)).decision === 'confirm',
    changes: [onGrant, (look: () => void) => policy.onChange(look)],
    signal,
    settledBy: SETTLED_BY,
  };
  const deadline = deadlineMs === undefined ? undefined : AbortSignal.timeout(deadlineMs);
  return unlessSettled<Wait>(settling, async (unsettled) => {
    try {
      const stop = AbortSignal.any([unsettled, ...(deadline ? [deadline] : [])]);
      return { is: 'over', request: await project.until(endOf(request), { signal: stop }) };
    } catch (error) {
      if (signal.aborted) {
        await recordDetached(project, request, { agentId: agent.id, why: 'the agent does not ask any more' });
        return { is: 'cancelled' };
      }
      if (!deadline?.aborted || deadlineMs === undefined) throw error;
      await project.record(request.stream, [expired(request, agent, deadlineMs)]);
      return { is: 'expired', afterMs: deadlineMs };
    }
  });
}

function expired({ id, stream, taskId }: RequestState, agent: Agent, afterMs: number): Candidate {
  return {
    type: 'help.expired',
    subject: subjectOf(stream, taskId),
    data: { requestId: id, afterMs, agent: agent.id },
  };
}

type Verdict =
  | { readonly type: 'tool.allowed'; readonly data: EventData<'tool.allowed'> }
  | { readonly type: 'tool.denied'; readonly data: EventData<'tool.denied'> };

/** The call in the log: that it was asked for stands in front of whatever follows from it, in the same append. */
class CallRecord {
  readonly #call: AgentGateCall;
  readonly #callId: string;
  readonly #deps: Permissions;
  #isRecorded = false;

  constructor(call: AgentGateCall, callId: string, deps: Permissions) {
    this.#call = call;
    this.#callId = callId;
    this.#deps = deps;
  }

  /** What the log gets before the question. */
  readonly before = (): readonly Candidate[] => (this.#isRecorded ? [] : [this.#request()]);

  wasRecorded(): void {
    this.#isRecorded = true;
  }

  async decided(verdict: Verdict): Promise<void> {
    const { project, stream, taskId } = this.#deps;
    await project.record(stream, [...this.before(), { ...verdict, subject: subjectOf(stream, taskId) }]);
    this.wasRecorded();
  }

  #request(): Candidate {
    const { agent, name, project, stream, taskId } = this.#deps;
    return {
      type: 'tool.requested',
      subject: subjectOf(stream, taskId),
      data: requestedData(this.#call, { callId: this.#callId, name, runId: agent.runId, project }),
    };
  }
}
