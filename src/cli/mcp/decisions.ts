import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { CallPolicy, type PolicyInForce } from '../../gateway/session/policy-in-force.ts';
import { toolTarget } from '../../gateway/call/tool-target.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import type { PolicyWord } from '../../gateway/config/policy-config.ts';
import type { GateDecision } from '../../gateway/policy/gate-call.ts';
import type { DownstreamTool } from '../../gateway/server/downstream-tool.ts';
import type { McpManager } from '../../gateway/server/mcp-manager.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Style } from '../printer.ts';

/** What the policy says of a tool as such, outside of all sprints. Rules about arguments may say something else. */
export type ToolWord = (tool: DownstreamTool) => PolicyWord;

/** The colour of each word. */
export const wordStyles: Readonly<Record<PolicyWord, Style>> = {
  allow: 'green',
  confirm: 'yellow',
  deny: 'red',
};

/** How many tools are allowed, put before a human, refused. */
export type PolicyCount = Readonly<Record<PolicyWord, number>>;

/** The policy of a project, by its `mcp.json` as it is. */
export function callPolicyOf(reading: McpConfigReading): CallPolicy {
  return new CallPolicy(policyInForceOf(reading));
}

/** The same for where no human sits: what a human would be asked about is refused at once. */
export function unattendedPolicyOf(reading: McpConfigReading): CallPolicy {
  return new UnattendedPolicy(policyInForceOf(reading));
}

class UnattendedPolicy extends CallPolicy {
  override decide(...call: Parameters<CallPolicy['decide']>): GateDecision {
    const decision = super.decide(...call);
    if (decision.decision !== 'confirm') return decision;
    const reason = `${decision.reason}, and nobody can be asked here. Call it at a terminal, or allow it in the policy of mcp.json`;
    return { decision: 'deny', rule: decision.rule, reason };
  }
}

function policyInForceOf({ policy, servers }: McpConfigReading): PolicyInForce {
  return { policy, configOf: (id) => servers.find((server) => server.id === id) };
}

export function toolWords(policy: CallPolicy, project: Project, manager: McpManager): ToolWord {
  const place = { stream: ADHOC_STREAM };
  return (tool) =>
    policy.isHidden(project, tool, place)
      ? 'deny'
      : policy.decide(project, toolTarget(tool, manager), {}, place).decision;
}

export function countWords(words: readonly PolicyWord[]): PolicyCount {
  const count = { allow: 0, confirm: 0, deny: 0 };
  for (const word of words) count[word] += 1;
  return count;
}

/** `allow 5, confirm 9`. */
export function countText(count: PolicyCount): string {
  const words = (['allow', 'confirm', 'deny'] as const).filter((word) => count[word] > 0);
  return words.map((word) => `${word} ${count[word]}`).join(', ') || '-';
}
