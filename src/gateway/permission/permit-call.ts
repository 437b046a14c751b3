import { digestOf } from '../../lib/digest.ts';
import type { RequestState } from '../../machines/project-state.ts';
import {
  askApproval,
  claimApproval,
  giveBackApproval,
  type CallToApprove,
} from '../../workflow/requests/approval.ts';
import { recordAttached, recordDelivery } from '../../workflow/requests/deliver.ts';
import { holdCall } from '../../workflow/requests/held-call.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import { highRisksIn } from '../policy/shell/command-risks.ts';
import type { AgentCall, PermissionWord } from './agent-call.ts';
import { decideAgentCall, type AgentDecision } from './decide-agent-call.ts';
import { serverOfAgent } from '../../events/agent-server.ts';
import { CallRecord } from './call-record.ts';
import { judgedCall, type Permissions } from './permissions.ts';
import { keptPaths } from './requested-data.ts';
import { untilDecided, wordOfWait } from './until-decided.ts';

/** What is known of a call beside what it is. */
type KnownOfCall = {
  readonly callId: string;
  readonly isRecorded: boolean;
  /** What the agent has said in this turn so far. */
  readonly said?: string | undefined;
};

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
  // What its agent told of it before does not say in which two folders it is judged.
  if (isRecorded && call.elsewhere === undefined) record.wasRecorded();
  // Nothing runs by what only a snapshot says.
  await project.confirm(stream);
  for (;;) {
    if (signal.aborted) return { is: 'cancelled' };
    const decision = await decideAgentCall(project, judged, deps.policy);
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

type Asked = {
  readonly judged: AgentGateCall;
  readonly decision: AgentDecision;
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
  const { judged, decision, callId, record } = asked;
  const { project, agent } = deps;
  const request = await askApproval(project, toApprove(asked, deps), record.before);
  record.wasRecorded();
  if (request.phase === 'open' && !request.waiting.has(agent.id))
    await recordAttached(project, request, agent.id);
  const release = await holdCall(request, judged.args);
  deps.onAsked?.(request);
  const wait = await untilDecided(request, asked, deps, signal).finally(release);
  if (wait.is === 'over') await recordDelivery(project, [wait.request], agent.id);
  const word = wordOfWait(wait, { digest: judged.digest, rule: decision.rule });
  switch (word.is) {
    case 'settled':
      return undefined;
    case 'cancelled':
      return { is: 'cancelled' };
    case 'no':
      await record.decided({ type: 'tool.denied', data: { callId, ...word.of } });
      return word.told;
    case 'yes':
      return takeYes(word.request, asked, deps, signal);
  }
}

function toApprove(
  { judged, decision, callId, said }: Asked,
  { agent, name, stream, taskId }: Permissions,
): CallToApprove {
  const { elsewhere } = judged;
  // Of other calls they stand in the arguments.
  const paths = judged.commands.length === 0 ? [] : keptPaths(judged.paths);
  return {
    stream,
    taskId,
    agent,
    deadlineMs: decision.deadlineMs,
    said,
    approval: {
      callId,
      server: serverOfAgent(name),
      tool: judged.kind,
      isOwn: true,
      ...(paths.length === 0 ? {} : { paths }),
      ...(elsewhere === undefined ? {} : { elsewhere }),
      ...highRisksIn(judged.commands),
      args: judged.args,
      callDigest: judged.digest,
      definitionDigest: digestOf([name, judged.kind]),
      rule: decision.rule,
      trust: 'untrusted',
    },
  };
}

/** Uses a human's yes up for this call; as {@link askHuman} where that is not to be. */
async function takeYes(
  request: RequestState,
  { judged, callId }: Asked,
  deps: Permissions,
  signal: AbortSignal,
): Promise<PermissionWord | undefined> {
  const { project } = deps;
  // What a rule has come to refuse meanwhile does not run by an earlier yes.
  if ((await decideAgentCall(project, judged, deps.policy)).decision === 'deny') return undefined;
  // The yes is kept for who asks for the same again.
  if (signal.aborted || deps.isAlive?.() === false || isOver(deps)) return { is: 'cancelled' };
  if (!(await claimApproval(project, request, callId))) return undefined;
  return { is: 'allowed', giveBack: () => giveBackApproval(project, request, callId) };
}

/** The log says that its attempt is over, e.g. parked, also before it has ended. */
function isOver({ project, agent: { runId }, stream, taskId = '' }: Permissions): boolean {
  if (runId === undefined) return false;
  return project.state.streams.get(stream)?.tasks.get(taskId)?.machine.context.runId !== runId;
}
