import type { AgentPolicy } from '../../../src/gateway/config/agent-policy.ts';
import type { AgentKind } from '../../../src/gateway/permission/agent-call.ts';
import { AgentGate, type AgentGround } from '../../../src/gateway/policy/agent-gate.ts';
import type { GateDecision } from '../../../src/gateway/policy/gate-call.ts';
import { acpCallSchema } from '../../../src/runner/acp/acp-call.ts';
import { agentCallOf, type CallPlace } from '../../../src/runner/acp/agent-call-of.ts';
import { policyOf } from './policy-facts.ts';

/** What an agent says of a call beside its kind. */
export type Said = {
  readonly title?: string;
  readonly rawInput?: unknown;
  readonly locations?: unknown;
  readonly content?: unknown;
};

/** A call as an agent asks for it, in the folder `/project`. */
export function saidCall(kind: AgentKind, said: Said, place: CallPlace = {}) {
  return agentCallOf(acpCallSchema.parse({ toolCallId: 'c', kind, ...said }), '/project', place);
}

/** What is asked about, and what is there on the disk. */
type Policy = Partial<AgentPolicy> & Pick<AgentGround, 'throughLinks' | 'users'>;

/** What the policy says of it, and why. `place`: where its session works. */
export function judged(
  kind: AgentKind,
  said: Said,
  { ask = 'what-matters', rules = [], ...ground }: Policy = {},
  place: CallPlace = {},
): GateDecision {
  const gate = new AgentGate(policyOf({ agents: { ask, rules } }), [], { root: '/project', ...ground });
  const call = saidCall(kind, said, place);
  return gate.check({ ...call, agent: 'claude', digest: 'd', stream: 's-1', taskId: 'a' });
}

/** What the policy says of it. */
export function decideSaid(kind: AgentKind, said: Said, policy: Policy = {}) {
  return judged(kind, said, policy).decision;
}

/** The same of a call with this input. */
export function decide(kind: AgentKind, rawInput: unknown, policy: Policy = {}) {
  return decideSaid(kind, { rawInput }, policy);
}
