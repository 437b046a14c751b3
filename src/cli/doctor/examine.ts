import { readConfig } from '../../workflow/config/load-config.ts';
import { agentCases } from './agent-cases.ts';
import { checkAgent } from './check-agent.ts';
import {
  checkGateway,
  checkNotify,
  checkConfig,
  checkDefaultAgent,
  checkPrompt,
  checkRoot,
  checkSprints,
  checkWorktrees,
} from './project-checks.ts';
import { checkServer } from './check-server.ts';
import type { Check, DoctorContext } from './check.ts';
import { checkLeftAgents } from './left-agents.ts';
import { checkEditorsAgents } from './mistrusted.ts';
import { checkDisk, checkLog, checkProjections } from './state-checks.ts';
import { checkClifford, checkGit, checkMark, checkNode, checkTerminal } from './system-checks.ts';

/** Looks at everything, the agents at once: their command lines take seconds to start. */
export async function examine(context: DoctorContext): Promise<Check[]> {
  const { stateDir, root, env } = context;
  const reading = await readConfig({ root, env });
  const [git, sprints, disk, log, projections, left, editors, prompt, server, gateway, notify, ...found] =
    await Promise.all([
      checkGit(context),
      checkSprints(context),
      stateDir === undefined ? [] : checkDisk(stateDir),
      stateDir === undefined ? [] : checkLog(context, stateDir).then((check) => [check]),
      checkProjections(context),
      checkLeftAgents(context),
      checkEditorsAgents(context),
      checkPrompt(context),
      checkServer(context),
      checkGateway(context),
      checkNotify(context, reading),
      ...agentCases(context, reading).map((each) => checkAgent(context, each)),
    ]);
  return [
    checkNode(),
    checkClifford(context),
    checkTerminal(context),
    ...checkMark(),
    git,
    ...(await checkWorktrees(context)),
    checkRoot(context),
    ...checkConfig(reading),
    prompt,
    sprints,
    ...disk,
    ...log,
    ...projections,
    ...left,
    ...editors,
    server,
    ...gateway,
    ...notify,
    checkDefaultAgent(context, reading),
    ...found,
  ];
}
