import { agentOfServer } from '../../events/agent-server.ts';
import type { PolicyConfig, UnreadablePolicy } from '../config/policy-config.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import { AgentGate, type AgentGround } from '../policy/agent-gate.ts';
import type { GateDecision } from '../policy/gate-call.ts';
import { PolicyGate } from '../policy/policy-gate.ts';
import { agentGateCall, serverGateCall } from './gate-calls.ts';
import type { RecordedCall } from './recorded-call.ts';

/** Where the calls of a log are judged: as they would be there now. */
export type Ground = AgentGround & {
  /** Those of `mcp.json`. */
  readonly servers: readonly McpServerConfig[];
};

/** What a policy says of recorded calls, by itself: what humans granted for longer has no part in it. */
export type Decider = (call: RecordedCall) => GateDecision;

/** Judges by the rules of a policy, as if a person trusted it. */
export function decideBy(policy: PolicyConfig | UnreadablePolicy, { servers, ...ground }: Ground): Decider {
  const [ofServers, ofAgents] = [new PolicyGate(policy, [], ground), new AgentGate(policy, [], ground)];
  const configs = new Map(servers.map((config) => [config.id, config]));
  return (call) => {
    const agent = agentOfServer(call.server);
    return agent === undefined
      ? ofServers.check(serverGateCall(call, configs.get(call.server)))
      : ofAgents.check(agentGateCall(call, agent, ground.root));
  };
}
