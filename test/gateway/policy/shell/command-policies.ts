import type { AgentPolicy } from '../../../../src/gateway/config/agent-policy.ts';
import { DEFAULT_POLICY, type PolicyWord } from '../../../../src/gateway/config/policy-config.ts';
import { AgentGate } from '../../../../src/gateway/policy/agent-gate.ts';

/** Denies what begins so, allows everything else. */
export function denying(startsWith: string): AgentPolicy {
  return {
    ask: 'what-matters',
    rules: [
      { command: { startsWith }, decision: 'deny' },
      { kind: 'execute', decision: 'allow' },
    ],
  };
}

/** Denies what begins so, lets everything else run: nobody is there to ask. */
export function unattended(startsWith: string): AgentPolicy {
  return { ask: 'nothing', rules: [{ command: { startsWith }, decision: 'deny' }] };
}

/** Allows what begins so; asks about everything else. */
export function allowing(...prefixes: readonly string[]): AgentPolicy {
  return {
    ask: 'what-matters',
    rules: prefixes.map((startsWith) => ({ command: { startsWith }, decision: 'allow' })),
  };
}

/** What becomes of a text that an agent wants its shell to read. */
export function decisionOf(text: string, agents: AgentPolicy): PolicyWord {
  const gate = new AgentGate({ ...DEFAULT_POLICY, agents }, [], {
    root: '/project',
    throughLinks: undefined,
  });
  const call = { kind: 'execute', title: '', args: {}, commands: [text], paths: [], hosts: [] } as const;
  return gate.check({ ...call, cwd: '/project', agent: 'a', digest: 'd', stream: 's' }).decision;
}
