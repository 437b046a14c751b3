import { z } from 'zod';
import type { ToolCall } from '../../gateway/call/tool.ts';
import { openSprint, type OpenSprint } from '../../workflow/sprint/open-sprint.ts';

/** The argument by which tools name a sprint. */
export const sprintDirSchema = z
  .string()
  .min(1)
  .max(4_096)
  .describe('Folder of the sprint (it holds manifest.json), absolute or relative to the project root');

/** The sprint of a call: what the agent says next without naming one is about it, too. */
export async function openOwnSprint({ project, session }: ToolCall, sprintDir: string): Promise<OpenSprint> {
  const opened = await openSprint(project, sprintDir);
  session.lastStream = opened.stream;
  return opened;
}
