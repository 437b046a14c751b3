import { keepDefinitions, keptDefinition } from '../../workflow/policy/definition-store.ts';
import { pinNewTools } from '../../workflow/policy/pins.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { DownstreamTool } from '../server/downstream-tool.ts';

/** Longest name of a tool that the log takes, in UTF-16 units. */
const MAX_NAME_LENGTH = 512;

/** Whether the log can name a tool: no other can be called. */
export function isRecordable({ name }: Pick<DownstreamTool, 'name'>): boolean {
  return name.length <= MAX_NAME_LENGTH;
}

/**
 * Remembers the tools of a server as it defines them: those that are seen for the first time are known from now on,
 * and every definition is kept, so that a change can be shown.
 */
export async function rememberTools(
  project: Project,
  { stream, serverId, tools }: { stream: string; serverId: string; tools: readonly DownstreamTool[] },
): Promise<void> {
  const known = tools.filter(isRecordable);
  // First what a change is told by. The text is for a human, who is asked when it is kept.
  const digests = new Map(known.map(({ name, digest }) => [name, digest]));
  await pinNewTools(project, { stream, server: serverId, tools: digests });
  await keepDefinitions(project.dir, known);
}

/** The tools of a server that does not run, as they were known last; none if it never ran. */
export async function rememberedTools(
  { state, dir }: Project,
  serverId: string,
): Promise<readonly DownstreamTool[]> {
  const known = [...(state.pins.get(serverId) ?? [])];
  const tools = known.map(async ([name, digest]): Promise<DownstreamTool[]> => {
    const definition = await keptDefinition(dir, digest);
    return definition === undefined ? [] : [{ serverId, name, definition, digest }];
  });
  return (await Promise.all(tools)).flat();
}
