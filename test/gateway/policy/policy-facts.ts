import { DEFAULT_POLICY } from '../../../src/gateway/config/policy-config.ts';
import type { PolicyConfig } from '../../../src/gateway/config/policy-config.ts';
import type { GateCall } from '../../../src/gateway/policy/gate-call.ts';
import type { GrantedRule } from '../../../src/gateway/policy/granted-rule.ts';
import { PolicyGate } from '../../../src/gateway/policy/policy-gate.ts';
import { downstreamTool } from '../../../src/gateway/server/downstream-tool.ts';
import type { DownstreamTool } from '../../../src/gateway/server/downstream-tool.ts';

/** A policy that says only what the test is about. */
export const policyOf = (said: Partial<PolicyConfig>): PolicyConfig => ({ ...DEFAULT_POLICY, ...said });

export const gateOf = (said: Partial<PolicyConfig>, granted: readonly GrantedRule[] = []): PolicyGate =>
  new PolicyGate(policyOf(said), granted, { root: '/project' });

/** A call of `fs/write_file` in the sprint `s-1`. */
export const callOf = (said: Partial<GateCall> = {}): GateCall => ({
  serverId: 'fs',
  toolName: 'write_file',
  args: {},
  stream: 's-1',
  taskId: 'a',
  definitionDigest: 'd-1',
  definition: 'pinned',
  ...said,
});

/** Ada's yes to `fs/write_file` for good. */
export const grantOf = (said: Partial<GrantedRule> = {}): GrantedRule => ({
  id: 'r-1',
  server: 'fs',
  tool: 'write_file',
  definitionDigest: 'd-1',
  scope: { kind: 'always' },
  by: 'ada',
  at: '2026-01-31T12:00:00.000Z',
  ...said,
});

/** A tool as it came from its server. */
export function toolOf(name: string, definition: object = {}, serverId = 'fs'): DownstreamTool {
  const tool = downstreamTool(serverId, { inputSchema: { type: 'object' }, ...definition, name });
  if (!tool) throw new Error('a tool of a test has no name');
  return tool;
}
