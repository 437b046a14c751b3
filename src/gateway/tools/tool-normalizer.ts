import type { ServerTrust } from '../config/server-config.ts';
import type { DownstreamTool } from '../server/downstream-tool.ts';
import { exposedName } from './exposed-name.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { listingOf, type ToolListing } from './tool-listing.ts';

/** A tool that agents are not offered, and why, in one line. */
export type LeftOutTool = { readonly serverId: string; readonly name: string; readonly why: string };

/**
 * The tools of all servers under the names agents call them by. It stands for one moment: when a server's tools
 * change, a new one is made.
 */
export class ToolNormalizer {
  readonly #byName = new Map<string, DownstreamTool>();
  readonly #trustOf: (serverId: string) => ServerTrust;
  readonly #leftOut: LeftOutTool[] = [];

  constructor(tools: readonly DownstreamTool[], trustOf: (serverId: string) => ServerTrust) {
    this.#trustOf = trustOf;
    const taken = new Set<string>();
    for (const tool of tools) {
      const name = exposedName(tool.serverId, tool.name);
      const other = this.#byName.get(name);
      const why = reasonAgainst(tool) ?? (taken.has(name) ? 'its name is that of another tool' : undefined);
      if (why === undefined) this.#byName.set(name, tool);
      else this.#leaveOut(tool, why);
      taken.add(name);
      // Nobody could say which of two servers a call is meant for.
      if (why !== undefined && other && other.serverId !== tool.serverId) {
        this.#byName.delete(name);
        this.#leaveOut(other, why);
      }
    }
  }

  /** What was not taken up. */
  get leftOut(): readonly LeftOutTool[] {
    return this.#leftOut;
  }

  /** The tool of exactly this name. No part of it is interpreted. */
  find(name: string): DownstreamTool | undefined {
    return this.#byName.get(name);
  }

  /** What agents are shown, by name. `isHidden`: what the policy refuses whatever the arguments. */
  listing(isHidden: (tool: DownstreamTool) => boolean = () => false): ToolListing[] {
    return [...this.#byName]
      .filter(([, tool]) => !isHidden(tool))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, tool]) => listingOf(tool, this.#trustOf(tool.serverId)));
  }

  #leaveOut({ serverId, name }: DownstreamTool, why: string): void {
    this.#leftOut.push({ serverId, name: cleanLine(name, 200), why });
  }
}

function reasonAgainst({ definition }: DownstreamTool): string | undefined {
  const { execution } = definition;
  if (typeof execution !== 'object' || execution === null || !('taskSupport' in execution)) return undefined;
  return execution.taskSupport === 'required'
    ? 'it can only be called as a task, which agents cannot'
    : undefined;
}
