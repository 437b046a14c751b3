import type { Tool } from '../tool.ts';
import { completeSprintTool } from './complete-sprint.ts';
import { getSprintContext } from './get-sprint-context.ts';
import { requestHelp } from './request-help.ts';
import { updateTaskStatus } from './update-task-status.ts';

/** Clifford's own tools, in the order agents see them. */
export const ownTools: readonly Tool[] = [
  getSprintContext,
  requestHelp,
  updateTaskStatus,
  completeSprintTool,
];
