import type { Pins } from '../../machines/policy-state.ts';
import type { Project } from '../project/project.ts';

/** Whether a definition is the known one of its tool, another than that, or the first. */
export type DefinitionStanding = 'pinned' | 'changed' | 'new';

/** How a tool's definition of this digest compares with the one that is known. */
export function definitionStanding(
  pins: Pins,
  { server, tool, digest }: { server: string; tool: string; digest: string },
): DefinitionStanding {
  const known = pins.get(server)?.get(tool);
  if (known === undefined) return 'new';
  return known === digest ? 'pinned' : 'changed';
}

/**
 * Records the definitions of tools that were never seen before as the known ones. Those of tools that are
 * known stay as they are: only a human's yes changes them.
 *
 * @param tools - Digests by the name of the tool.
 */
export async function pinNewTools(
  project: Project,
  { stream, server, tools }: { stream: string; server: string; tools: ReadonlyMap<string, string> },
): Promise<void> {
  await project.dispatch(stream, ({ pins }) => {
    const known = pins.get(server);
    const fresh = [...tools].filter(([tool]) => known?.has(tool) !== true);
    return inChunks(fresh).map((chunk) => ({
      type: 'tool.pinned',
      subject: stream,
      data: { server, tools: Object.fromEntries(chunk) },
    }));
  });
}

/** A line of the log has an end, and servers may have thousands of tools with the longest names there are. */
const MAX_PINNED_AT_ONCE = 1_000;

function inChunks<T>(items: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(items.length / MAX_PINNED_AT_ONCE);
  return Array.from({ length: count }, (_, at) =>
    items.slice(at * MAX_PINNED_AT_ONCE, (at + 1) * MAX_PINNED_AT_ONCE),
  );
}
