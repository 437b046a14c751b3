import { CallPolicy } from '../../gateway/call/policy-in-force.ts';
import type { GateDecision } from '../../gateway/policy/gate-call.ts';

/** A {@link CallPolicy} for where no human sits: what a human would be asked about is refused at once. */
export class UnattendedPolicy extends CallPolicy {
  override judge(...call: Parameters<CallPolicy['judge']>): GateDecision {
    const decision = super.judge(...call);
    if (decision.decision !== 'confirm') return decision;
    const reason = `${decision.reason}, and nobody can be asked here. Call it at a terminal, or allow it in the policy of mcp.json`;
    return { decision: 'deny', rule: decision.rule, reason };
  }
}
