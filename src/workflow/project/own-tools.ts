/**
 * The names of Clifford's own tools, in the order agents see them. Whatever sends an agent to one of them takes its name
 * from here: a text never names a tool that is not there.
 */
export const ownTool = {
  getSprintContext: 'get_sprint_context',
  requestHelp: 'request_help',
  askClarification: 'ask_clarification',
  updateTaskStatus: 'update_task_status',
  reportUat: 'report_uat',
  updateChangelog: 'update_changelog',
  completeSprint: 'complete_sprint',
} as const;

/** One of the names of {@link ownTool}. */
export type OwnToolName = (typeof ownTool)[keyof typeof ownTool];

/** All of them. */
export const ownToolNames: readonly OwnToolName[] = Object.values(ownTool);

/** The server of them, as events name it. */
export const OWN_SERVER = 'clifford';

/** Whether a tool is one of them that asks a human for words, not for a yes. */
export function asksForWords({ server, tool }: { readonly server: string; readonly tool: string }): boolean {
  return server === OWN_SERVER && (tool === ownTool.requestHelp || tool === ownTool.askClarification);
}
