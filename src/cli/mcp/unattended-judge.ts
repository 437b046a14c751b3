import { Judge } from '../../mcp/gateway/call/judge.ts';
import type { GateDecision } from '../../mcp/gateway/policy/gate-call.ts';

/** A {@link Judge} for where no human sits: what a human would be asked about is refused at once. */
export class UnattendedJudge extends Judge {
  override judge(...call: Parameters<Judge['judge']>): GateDecision {
    const decision = super.judge(...call);
    if (decision.decision !== 'confirm') return decision;
    const reason = `${decision.reason}, and nobody can be asked here. Call it at a terminal, or allow it in the policy of mcp.json`;
    return { decision: 'deny', rule: decision.rule, reason };
  }
}
