import type { AgentPolicy } from '../../../src/gateway/config/agent-policy.ts';
import type { AgentKind } from '../../../src/gateway/permission/agent-call.ts';
import { AgentGate } from '../../../src/gateway/policy/agent-gate.ts';
import type { GateDecision } from '../../../src/gateway/policy/gate-call.ts';
import { acpCallSchema } from '../../../src/runner/acp/acp-call.ts';
import { agentCallOf, type CallPlace } from '../../../src/runner/acp/agent-call-of.ts';
import { policyOf } from './policy-facts.ts';

/** What an agent hands over of a call, as the protocol has it. */
export type Said = {
  readonly kind?: string;
  readonly title?: string;
  readonly rawInput?: unknown;
  readonly locations?: unknown;
  readonly content?: unknown;
};

/** What the policy says of a call in `/project`; `what-matters` is asked about unless the policy says otherwise. */
export function judged(
  said: Said,
  { ask = 'what-matters', rules = [] }: Partial<AgentPolicy> = {},
  place: CallPlace = {},
): GateDecision {
  const call = agentCallOf(acpCallSchema.parse({ toolCallId: 'c', ...said }), '/project', place);
  const gate = new AgentGate(policyOf({ agents: { ask, rules } }), [], { root: '/project' });
  return gate.check({ ...call, agent: 'claude', digest: 'd', stream: 's-1', taskId: 'a' });
}

/** The same, of a call with this input. */
export function decide(kind: AgentKind, rawInput: unknown, policy: Partial<AgentPolicy> = {}): string {
  return judged({ kind, rawInput }, policy).decision;
}
