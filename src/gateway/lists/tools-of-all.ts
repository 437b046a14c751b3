import { exposedName } from '../tools/exposed-name.ts';
import type { ToolListing } from '../tools/tool-listing.ts';
import { ToolNormalizer } from '../tools/tool-normalizer.ts';
import type { DownstreamTool } from '../server/downstream-tool.ts';
import type { McpManager } from '../server/mcp-manager.ts';
import { isRecordable } from './known-tools.ts';
import type { ServerSet } from '../session/server-set.ts';
import type { Target } from '../call/target.ts';
import { toolTarget } from '../call/tool-target.ts';

/** The tools of all servers, as they are at the moment. */
export class ToolList {
  readonly #servers: ServerSet;
  readonly #manager: Pick<McpManager, 'getTools' | 'callTool'>;
  /** Of servers that were not started. */
  readonly #remembered = new Map<string, readonly DownstreamTool[]>();
  #normalizer: ToolNormalizer | undefined;

  constructor(servers: ServerSet, manager: Pick<McpManager, 'getTools' | 'callTool'>) {
    this.#servers = servers;
    this.#manager = manager;
  }

  /** Something about the tools has changed. */
  renew(): void {
    this.#normalizer = undefined;
  }

  /** The tools that a server had when it ran last. */
  remember(serverId: string, tools: readonly DownstreamTool[]): void {
    this.#remembered.set(serverId, tools);
    this.renew();
  }

  /** What agents are shown. */
  listing(isHidden: (target: DownstreamTool) => boolean): ToolListing[] {
    return this.#tools.listing(isHidden);
  }

  /** The tool of exactly this name. */
  find(name: string): Target | undefined {
    const tool = this.#tools.find(name);
    return tool && toolTarget(tool, this.#manager);
  }

  /** Why a tool of this name, which exists, cannot be called. */
  whyLeftOut(name: string): string | undefined {
    return this.#tools.leftOut.find((tool) => exposedName(tool.serverId, tool.name) === name)?.why;
  }

  get #tools(): ToolNormalizer {
    this.#normalizer ??= new ToolNormalizer(
      this.#servers.servers.flatMap(({ id }) => this.#toolsOf(id)).filter(isRecordable),
      (id) => this.#servers.configOf(id)?.trust ?? 'untrusted',
    );
    return this.#normalizer;
  }

  #toolsOf(id: string): readonly DownstreamTool[] {
    return this.#servers.isStarted(id) ? this.#manager.getTools(id) : (this.#remembered.get(id) ?? []);
  }
}
