import { ownTool } from '../../workflow/project/own-tools.ts';

const INSTRUCTIONS =
  `Clifford runs sprints of coding tasks with a human in the loop. Start with ${ownTool.getSprintContext} and follow ` +
  `its guidance. When you are blocked, or a decision is not yours, ask with ${ownTool.requestHelp}: it waits for the ` +
  'human, and meanwhile you do not go on with that step. For a choice that you could take yourself if nobody ' +
  `answers in time, use ${ownTool.askClarification}. If a call says that there is no answer yet, call again as it says. ` +
  `When a task is done and checked, tell with ${ownTool.reportUat} how a human can check it, then say completed with ` +
  `${ownTool.updateTaskStatus}. When every task is done, call ${ownTool.updateChangelog}, then ${ownTool.completeSprint}.`;

/** What is said of other servers, where a project has any. */
const GATEWAY_INSTRUCTIONS =
  ' Tools named mcp__{server}__{tool} belong to other servers behind Clifford: a call may be denied by the ' +
  "project's policy, or wait for the human; follow what its result says. If such tools are missing, " +
  `${ownTool.getSprintContext} may say why.`;

/** What a model is told about the server as a whole. */
export function instructionsFor({ hasGateway }: { hasGateway: boolean }): string {
  return hasGateway ? INSTRUCTIONS + GATEWAY_INSTRUCTIONS : INSTRUCTIONS;
}
