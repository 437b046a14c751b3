import { z } from 'zod';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { nameOfAgent } from '../../workflow/project/agent.ts';
import { completeSprint } from '../../workflow/sprint/complete-sprint.ts';
import { openOwnSprint, sprintDirSchema } from '../calls/sprint-dir.ts';
import { defineTool } from '../../gateway/call/tool.ts';
import { textResult } from '../../gateway/call/tool-result.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** How an agent says that a whole sprint is done. */
export const completeSprintTool = defineTool({
  name: ownTool.completeSprint,
  title: 'Complete the sprint',
  description:
    'Complete the sprint. Call it once, last, when every task of the sprint is completed; it is refused ' +
    'while one is not.',
  input: z.strictObject({
    sprintDir: sprintDirSchema,
    summary: z.string().max(MAX_TEXT_LENGTH).optional().describe('What the sprint achieved'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async locate({ sprintDir }, call) {
    const { stream } = await openOwnSprint(call, sprintDir);
    return { stream };
  },

  async run({ summary }, { project, agent }, { stream }) {
    await completeSprint(project, { stream, by: nameOfAgent(agent), summary, runId: agent.runId });
    return textResult(`Sprint ${stream} is completed`);
  },
});
