import type { Project } from '../../workflow/project/project.ts';
import type { AgentPolicy } from '../config/agent-policy.ts';
import { AgentGate } from '../policy/agent-gate.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import { agentGround } from './agent-ground.ts';
import type { HeldPolicy, PolicyNow } from './held-policy.ts';

/** What the policy says of a call. */
export type AgentDecision = GateDecision & {
  /** How long a human has to decide, in ms. */
  readonly deadlineMs: number | undefined;
  /** What becomes of an attempt whose agent did it without asking; `undefined`: it does not say. */
  readonly unasked: AgentPolicy['unasked'];
};

/**
 * Judges a call of an agent's own tool by the policy that holds, and by what humans granted as far as the log was
 * read. A policy that nobody on this machine has trusted may refuse and ask, but allows nothing: a repository could
 * bring it, or an agent write it.
 */
export async function decideAgentCall(
  project: Pick<Project, 'root' | 'state'>,
  call: AgentGateCall,
  policy: HeldPolicy,
): Promise<AgentDecision> {
  const { gate, now } = await agentGateOf(project, policy);
  const said = gate.check(call);
  if ('unreadable' in now) return { ...said, deadlineMs: undefined, unasked: undefined };
  return { ...said, deadlineMs: now.approvalTimeoutMs, unasked: now.agents.unasked };
}

/** What judges calls of agents' own tools now. */
export async function agentGateOf(
  { root, state }: Pick<Project, 'root' | 'state'>,
  policy: HeldPolicy,
): Promise<{ readonly gate: AgentGate; readonly now: PolicyNow }> {
  const now = await policy.now();
  const held = 'unreadable' in now ? now : { held: now.agents };
  return {
    gate: new AgentGate(held, state.policyRules, agentGround(root, policy.place.env, policy.place.root)),
    now,
  };
}
