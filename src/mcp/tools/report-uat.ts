import { dirname, join } from 'node:path';
import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { UAT_FILE } from '../../workflow/projections/uat.ts';
import { reportUat } from '../../workflow/reports/report-uat.ts';
import { openOwnSprint, sprintDirSchema } from '../calls/sprint-dir.ts';
import { defineTool } from '../../gateway/call/tool.ts';
import { textResult } from '../../gateway/call/tool-result.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** How an agent tells the human what to look at in a finished task. */
export const reportUatTool = defineTool({
  name: ownTool.reportUat,
  title: 'Report for acceptance',
  description:
    "Tell the human how to check what you changed for a task: it goes into the sprint's uat.md. Call it when " +
    'the task is done, before you complete it. A later report of the same task replaces the earlier one.',
  input: z.strictObject({
    sprintDir: sprintDirSchema,
    taskId: z.string().min(1).max(200),
    title: z.string().trim().min(1).max(500),
    changes: z.string().max(MAX_TEXT_LENGTH).describe('What is different now, for its user'),
    verificationSteps: z
      .array(z.string().trim().min(1).max(4_096))
      .max(100)
      .describe('What to do and what to see, step by step'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async locate({ sprintDir, taskId }, call) {
    const { stream, sprint } = await openOwnSprint(call, sprintDir);
    return sprint.tasks.has(taskId) ? { stream, taskId } : { stream };
  },

  async run({ taskId, title, changes, verificationSteps: steps }, { project }, { stream }) {
    await reportUat(project, { stream, taskId, title, changes, steps });
    const [problem] = project.unwritten();
    const place = project.state.streams.get(stream)?.manifest ?? stream;
    const where = problem
      ? `recorded. ${problem.message}; the file is written when that is possible again`
      : `in ${join(dirname(place), UAT_FILE)}`;
    return textResult(`The report of task ${taskId} is ${where}`);
  },
});
