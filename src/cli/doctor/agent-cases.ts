import type { KnownAgent } from '../../runner/agents/agent-adapter.ts';
import { knownAgents } from '../../runner/agents/known-agents.ts';
import type { AgentDefinition } from '../../runner/plan/agent-plan.ts';
import { countsTokens } from '../../runner/plan/agent-way.ts';
import { adapterNames } from '../../workflow/config/adapter-names.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import type { DoctorContext } from './check.ts';
import { defaultAgent } from './project-checks.ts';

/** An agent CLI that Clifford knows, and what the configuration says of it. */
export type AgentCase = {
  readonly agent: KnownAgent;
  readonly definition: AgentDefinition | undefined;
  /** Tasks go to it: what is wrong with it is no mere warning. */
  readonly isDefault: boolean;
  /** There is a budget in tokens. */
  readonly countsTokens: boolean;
};

/** Every agent that Clifford knows. */
export function agentCases(context: DoctorContext, reading: ConfigReading): AgentCase[] {
  const asked = defaultAgent(context, reading);
  const { agents } = reading.config;
  const definitionOf = (name: string) => (Object.hasOwn(agents, name) ? agents[name] : undefined);
  const chosen = asked === undefined ? undefined : definitionOf(asked);
  return adapterNames.map((name): AgentCase => {
    const isDefault = asked !== undefined && (chosen?.adapter ?? asked) === name;
    return {
      agent: knownAgents[name],
      definition: isDefault && chosen ? chosen : definitionOf(name),
      isDefault,
      countsTokens: countsTokens(reading.config),
    };
  });
}
