import type { Project } from '../../workflow/project/project.ts';
import { loadMcpConfig } from '../config/load-mcp-config.ts';
import { DEFAULT_AGENT_POLICY, type AgentPolicy } from '../config/agent-policy.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import { isPolicyTrusted } from '../config/trust.ts';
import { AgentGate } from '../policy/agent-gate.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import { agentGround } from './agent-ground.ts';

/** What the policy says of a call. */
export type AgentJudgement = GateDecision & {
  /** How long a human has to decide, in ms. */
  readonly deadlineMs: number | undefined;
  /** What becomes of an attempt whose agent did it without asking; `undefined`: it does not say. */
  readonly unasked: AgentPolicy['unasked'];
};

/**
 * Judges a call of an agent's own tool by the policy as it is now, and by what humans granted as far as the log was
 * read. A policy that nobody on this machine has trusted may refuse and ask, but allows nothing: a repository could
 * bring it, or an agent write it.
 */
export async function judgeAgentCall(
  project: Project,
  call: AgentGateCall,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AgentJudgement> {
  const { root, state } = project;
  const reading = await loadMcpConfig({ root, env });
  const policy = (await isPolicyTrusted(root, reading, env)) ? reading.policy : withoutAllows(reading.policy);
  const gate = new AgentGate(policy, state.policyRules, agentGround(root, env));
  const said = gate.check(call);
  if ('unreadable' in policy) return { ...said, deadlineMs: undefined, unasked: undefined };
  return { ...said, deadlineMs: policy.approvalTimeoutMs, unasked: policy.agents.unasked };
}

function withoutAllows(policy: PolicyConfig | UnreadablePolicy): PolicyConfig | UnreadablePolicy {
  if ('unreadable' in policy) return policy;
  const { ask, rules, unasked } = policy.agents;
  const agents: AgentPolicy = {
    ask: ask === 'nothing' ? DEFAULT_AGENT_POLICY.ask : ask,
    rules: rules.filter(({ decision }) => decision !== 'allow'),
    ...(unasked === 'stop' && { unasked }),
  };
  return { ...policy, agents };
}
