import { z } from 'zod';
import { enterChosenSprint } from '../../workflow/sprint/choose-sprint.ts';
import { loadConfig } from '../../workflow/config/load-config.ts';
import { updateChangelog, writeChangelog } from '../../workflow/reports/write-changelog.ts';
import { defineTool } from '../../gateway/call/tool.ts';
import { textResult } from '../../gateway/call/tool-result.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** How an agent says what a sprint changed for the users of the project. */
export const updateChangelogTool = defineTool({
  name: ownTool.updateChangelog,
  title: 'Add to the changelog',
  description:
    "Add what this sprint changed to the project's changelog. Entries that it has already are not repeated, " +
    'and nothing else in the file is touched: do not edit the file yourself.',
  input: z.strictObject({
    sprintId: z.string().min(1).max(128),
    sprintName: z.string().trim().min(1).max(200),
    entries: z
      .array(z.string().trim().min(1).max(4_096))
      .min(1)
      .max(200)
      .describe('One change each, for users: "Added: …", "Changed: …", "Removed: …", "Fixed: …"'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async locate({ sprintId }, { project, session }) {
    const stream = await enterChosenSprint(project, sprintId);
    session.lastStream = stream;
    return { stream };
  },

  async run({ sprintName, entries }, { project, session }, { stream }) {
    await updateChangelog(project, { stream, sprintName, entries });
    const { changelog } = await loadConfig(session);
    if (!changelog.enabled) {
      return textResult('The entries are in the log. No file was written: changelog.enabled is false');
    }
    await writeChangelog(project, stream, changelog.file);
    return textResult(`${changelog.file} has the entries of sprint ${stream}`);
  },
});
