import type { AgentPolicy } from '../../../src/gateway/config/agent-policy.ts';
import { AgentGate, type AgentGround } from '../../../src/gateway/policy/agent-gate.ts';
import { acpCallSchema } from '../../../src/runner/acp/acp-call.ts';
import { agentCallOf } from '../../../src/runner/acp/agent-call-of.ts';
import { policyOf } from './policy-facts.ts';

/** What an agent says of a call beside its kind. */
export type Said = {
  readonly title?: string;
  readonly rawInput?: unknown;
  readonly locations?: unknown;
  readonly content?: unknown;
};

/** A call as an agent asks for it, in the folder `/project`. */
export function saidCall(kind: string, said: Said) {
  return agentCallOf(acpCallSchema.parse({ toolCallId: 'c', kind, ...said }), '/project');
}

/** What the policy says of it. */
export function decideSaid(
  kind: string,
  said: Said,
  {
    ask = 'what-matters',
    rules = [],
    ...ground
  }: Partial<AgentPolicy> & Pick<AgentGround, 'throughLinks'> = {},
) {
  const gate = new AgentGate(policyOf({ agents: { ask, rules } }), [], { root: '/project', ...ground });
  const call = saidCall(kind, said);
  return gate.check({ ...call, agent: 'claude', digest: 'd', stream: 's-1', taskId: 'a' }).decision;
}
