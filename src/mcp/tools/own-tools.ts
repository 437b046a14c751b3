import type { Tool } from '../../gateway/call/tool.ts';
import { askClarification } from './ask-clarification.ts';
import { completeSprintTool } from './complete-sprint.ts';
import { getSprintContext } from './get-sprint-context.ts';
import { reportUatTool } from './report-uat.ts';
import { requestHelp } from './request-help.ts';
import { updateChangelogTool } from './update-changelog.ts';
import { updateTaskStatus } from './update-task-status.ts';

/** Clifford's own tools, in the order agents see them. */
export const ownTools: readonly Tool[] = [
  getSprintContext,
  requestHelp,
  askClarification,
  updateTaskStatus,
  reportUatTool,
  updateChangelogTool,
  completeSprintTool,
];
