import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import { CallPolicy, type PolicyInForce } from '../../gateway/call/policy-in-force.ts';
import { toolTarget } from '../../gateway/call/tool-target.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import type { PolicyWord } from '../../gateway/config/policy-config.ts';
import type { DownstreamTool } from '../../gateway/server/downstream-tool.ts';
import type { McpManager } from '../../gateway/server/mcp-manager.ts';
import type { Project } from '../../workflow/project/project.ts';
import { UnattendedPolicy } from './unattended-judge.ts';

/** What the policy says of a tool as such, outside of all sprints. Rules about arguments may say something else. */
export type ToolWord = (tool: DownstreamTool) => PolicyWord;

/** How many tools are allowed, put before a human, refused. */
export type PolicyCount = Readonly<Record<PolicyWord, number>>;

/** The judge of a project, by its `mcp.json` as it is. */
export function callPolicyOf(reading: McpConfigReading): CallPolicy {
  return new CallPolicy(policyInForceOf(reading));
}

/** The same for where nobody can be asked. */
export function unattendedPolicyOf(reading: McpConfigReading): CallPolicy {
  return new UnattendedPolicy(policyInForceOf(reading));
}

function policyInForceOf({ policy, servers }: McpConfigReading): PolicyInForce {
  return { policy, configOf: (id) => servers.find((server) => server.id === id) };
}

export function toolWords(judge: CallPolicy, project: Project, manager: McpManager): ToolWord {
  const place = { stream: ADHOC_STREAM };
  return (tool) =>
    judge.isHidden(project, tool, place)
      ? 'deny'
      : judge.judge(project, toolTarget(tool, manager), {}, place).decision;
}

export function countWords(tools: readonly DownstreamTool[], wordOf: ToolWord): PolicyCount {
  const count = { allow: 0, confirm: 0, deny: 0 };
  for (const tool of tools) count[wordOf(tool)] += 1;
  return count;
}

/** `allow 5, confirm 9`. */
export function countText(count: PolicyCount): string {
  const words = (['allow', 'confirm', 'deny'] as const).filter((word) => count[word] > 0);
  return words.map((word) => `${word} ${count[word]}`).join(', ') || '-';
}
