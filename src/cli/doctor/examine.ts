import { knownAgents } from '../../runner/agents/known-agents.ts';
import { countsTokens } from '../../runner/plan/agent-way.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { adapterNames } from '../../workflow/config/adapter-names.ts';
import { checkAgent, type AgentCase } from './check-agent.ts';
import {
  checkGateway,
  checkConfig,
  checkDefaultAgent,
  checkPrompt,
  checkRoot,
  checkSprints,
  defaultAgent,
} from './project-checks.ts';
import { checkServer } from './check-server.ts';
import type { Check, DoctorContext } from './check.ts';
import { checkDisk, checkLog, checkProjections } from './state-checks.ts';
import { checkClifford, checkGit, checkNode, checkTerminal } from './system-checks.ts';

/** Looks at everything, the agents at once: their command lines take seconds to start. */
export async function examine(context: DoctorContext): Promise<Check[]> {
  const { stateDir, root, env } = context;
  const reading = await readConfig({ root, env });
  const asked = defaultAgent(context, reading);
  const { agents } = reading.config;
  const definitionOf = (name: string) => (Object.hasOwn(agents, name) ? agents[name] : undefined);
  const chosen = asked === undefined ? undefined : definitionOf(asked);
  const cases = adapterNames.map((name): AgentCase => {
    const isDefault = asked !== undefined && (chosen?.adapter ?? asked) === name;
    return {
      agent: knownAgents[name],
      definition: isDefault && chosen ? chosen : definitionOf(name),
      isDefault,
      countsTokens: countsTokens(reading.config),
    };
  });
  const [git, sprints, disk, log, projections, prompt, server, gateway, ...found] = await Promise.all([
    checkGit(context),
    checkSprints(context),
    stateDir === undefined ? [] : checkDisk(stateDir),
    stateDir === undefined ? [] : checkLog(stateDir).then((check) => [check]),
    checkProjections(context),
    checkPrompt(context),
    checkServer(context),
    checkGateway(context),
    ...cases.map((each) => checkAgent(context, each)),
  ]);
  return [
    checkNode(),
    checkClifford(context),
    checkTerminal(context),
    git,
    checkRoot(context),
    ...checkConfig(reading),
    prompt,
    sprints,
    ...disk,
    ...log,
    ...projections,
    server,
    ...gateway,
    checkDefaultAgent(context, reading),
    ...found,
  ];
}
