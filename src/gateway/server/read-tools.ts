import { setImmediate as turn } from 'node:timers/promises';
import { downstreamTool, type DownstreamTool } from './downstream-tool.ts';
import type { PagedList } from './list-pages.ts';

/** So many digests are made before others have a turn. */
const AT_ONCE = 200;

/** The tools of a server. One that is none, or cannot be told from another, is left out and costs no other. */
export async function readTools(
  serverId: string,
  { elements, problem }: PagedList,
): Promise<{ readonly tools: readonly DownstreamTool[]; readonly problem?: string }> {
  const tools = new Map<string, DownstreamTool>();
  let without = 0;
  let twice = 0;
  for (const [index, element] of elements.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await turn();
    const tool = toolOf(serverId, element);
    if (tool === undefined) without++;
    else if (tools.has(tool.name)) twice++;
    else tools.set(tool.name, tool);
  }
  const problems = [
    ...(problem === undefined ? [] : [problem]),
    ...(without === 0 ? [] : [`${without} of its tools cannot be read`]),
    ...(twice === 0 ? [] : [`${twice} of its tools have the name of another`]),
  ];
  const all = [...tools.values()];
  return problems.length === 0 ? { tools: all } : { tools: all, problem: problems.join('; ') };
}

function toolOf(serverId: string, element: unknown): DownstreamTool | undefined {
  try {
    return downstreamTool(serverId, element);
  } catch (error) {
    // Nested more deeply than a stack is.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether two lists have the same tools, defined alike, in the same order. */
export function areSameTools(a: readonly DownstreamTool[], b: readonly DownstreamTool[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, digest }, index) => {
      const other = b[index];
      return other?.name === name && other.digest === digest;
    })
  );
}
