import { tellsWhatToDo } from '../../events/approval.ts';
import { subjectOf } from '../../events/envelope.ts';
import { waitedText } from '../../lib/time/duration.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import { recordDetached } from '../../workflow/requests/deliver.ts';
import { wordFor } from '../../workflow/requests/edited-call.ts';
import { replyText } from '../../workflow/requests/reply-text.ts';
import type { DeniedIn } from '../call/tool.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import { unlessSettled } from '../wait/unless-settled.ts';
import { endOf } from '../wait/wait-for-human.ts';
import type { PermissionWord } from './agent-call.ts';
import { decideAgentCall, type AgentDecision } from './decide-agent-call.ts';
import type { Permissions } from './permissions.ts';

/** Who ends a question that a rule has answered meanwhile. */
const SETTLED_BY = { by: 'clifford', via: 'acp' } as const;

/** How a wait for a human has ended. `over`: so has the request; `settled`: the policy has come to decide the call. */
export type EndedWait =
  | { readonly is: 'over'; readonly request: RequestState }
  | { readonly is: 'expired'; readonly afterMs: number }
  | { readonly is: 'settled' | 'cancelled' };

/** What that is to the call: a yes that it may take, or a no and who gave it. */
export type WaitWord =
  | { readonly is: 'yes'; readonly request: RequestState }
  | {
      readonly is: 'no';
      readonly of: { readonly rule: string } | DeniedIn;
      readonly told: Extract<PermissionWord, { is: 'refused' }>;
    }
  | { readonly is: 'settled' | 'cancelled' };

/** Until a human has decided, a rule does, the time is over, or nobody waits any more. */
export async function untilDecided(
  request: RequestState,
  { judged, decision: { deadlineMs } }: { judged: AgentGateCall; decision: AgentDecision },
  { project, agent, policy }: Permissions,
  signal: AbortSignal,
): Promise<EndedWait> {
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
    isLeftToHuman: async () => (await decideAgentCall(project, judged, policy)).decision === 'confirm',
    changes: [onGrant, (look: () => void) => policy.onChange(look)],
    signal,
    settledBy: SETTLED_BY,
  };
  const deadline = deadlineMs === undefined ? undefined : AbortSignal.timeout(deadlineMs);
  return unlessSettled<EndedWait>(settling, async (unsettled) => {
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

/** What the end of a wait says to the call of this digest. `rule`: the one that had a human asked. */
export function wordOfWait(
  wait: EndedWait,
  { digest, rule }: { readonly digest: string; readonly rule: string },
): WaitWord {
  if (wait.is === 'expired') {
    const reason = `No human allowed it within ${waitedText(wait.afterMs)} (${rule}). Do without it, and say so when you complete the task`;
    return { is: 'no', of: { rule: `${rule}: no human decided` }, told: { is: 'refused', reason } };
  }
  if (wait.is !== 'over') return wait;
  const { request } = wait;
  const { answer, dismissal } = request;
  if (wordFor(request, digest) === 'yes') return { is: 'yes', request };
  if (dismissal?.via === SETTLED_BY.via) return { is: 'settled' };
  const reason = replyText(request) ?? 'it was rejected';
  return {
    is: 'no',
    of: { by: answer?.by ?? dismissal?.by ?? 'clifford', requestId: request.id },
    told: { is: 'refused', reason, ...(tellsWhatToDo(answer?.verdict) && { tellsWhatToDo: true }) },
  };
}

function expired({ id, stream, taskId }: RequestState, agent: Agent, afterMs: number): Candidate {
  return {
    type: 'help.expired',
    subject: subjectOf(stream, taskId),
    data: { requestId: id, afterMs, agent: agent.id },
  };
}
