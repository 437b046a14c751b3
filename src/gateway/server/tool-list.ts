import { CliffordError } from '../../errors.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import { nextAttempt } from './next-attempt.ts';
import { CallClock } from './call-clock.ts';
import { type DownstreamTool, downstreamTool } from './downstream-tool.ts';
import { listOf, type PagedList } from './list-pages.ts';
import type { ManagerEvent } from './manager-event.ts';
import type { ManagerLimits } from './manager-limits.ts';
import type { ServerConnection } from './server-connection.ts';
import { setImmediate as turn } from 'node:timers/promises';

/** So many digests are made before others have a turn. */
const AT_ONCE = 200;

type ToolListOptions = {
  readonly config: Pick<McpServerConfig, 'id' | 'startTimeoutMs'>;
  readonly limits: ManagerLimits;
  readonly tell: (event: ManagerEvent) => void;
  /** The connection to a server that is ready; `undefined`: it is not. */
  readonly readyConnection: () => ServerConnection | undefined;
  /** Called with what is wrong with the list, if anything, each time a server that is ready was asked for it again. */
  readonly onRead: (problem: string | undefined) => void;
};

/** The tools of one server, listed when it is reached and again when it says that they have changed. */
export class ToolList {
  readonly #options: ToolListOptions;
  /** `undefined`: never listed. */
  #tools: readonly DownstreamTool[] | undefined;
  /** The server said that they have changed since they were asked for last. */
  #isStale = false;
  #isReading = false;
  /** Times in a row that there was no list at all, and when it is asked for again. */
  #failures = 0;
  #again: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(options: ToolListOptions) {
    this.#options = options;
  }

  get tools(): readonly DownstreamTool[] {
    return this.#tools ?? [];
  }

  /** They have changed: asks for them again, once the server is ready. */
  changed(): void {
    this.#isStale = true;
    this.resume();
  }

  /** Asks for them again if they have changed meanwhile. */
  resume(): void {
    const connection = this.#options.readyConnection();
    if (!this.#isStale || connection === undefined || this.#isReading) return;
    this.#isReading = true;
    void this.#follow(connection).finally(() => {
      this.#isReading = false;
    });
  }

  /** Asks a server that is reached anew. Returns what is wrong with the list, as {@link read} does. */
  async begin(connection: ServerConnection): Promise<string | undefined> {
    this.#failures = 0;
    return this.#read(connection);
  }

  /** Nothing is asked for any more. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#again);
  }

  async #follow(connection: ServerConnection): Promise<void> {
    const { readyConnection, onRead } = this.#options;
    while (this.#isStale && readyConnection() === connection) {
      const problem = await this.#read(connection);
      if (readyConnection() === connection) onRead(problem);
    }
  }

  /**
   * Lists the tools and tells of them if they are others than before. Returns what is wrong with the list, which costs
   * the server nothing else, since one that is lost meanwhile is seen elsewhere. Where there is no list at all it is
   * asked for again, later: the server may not have been up to it yet.
   */
  async #read(connection: ServerConnection): Promise<string | undefined> {
    const { config, tell } = this.#options;
    this.#isStale = false;
    clearTimeout(this.#again);
    const clock = new CallClock(config.startTimeoutMs, undefined);
    let listed;
    try {
      listed = await readTools(config.id, await listOf(connection, 'tools/list', 'tools', clock));
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      if (!connection.isOver) this.#readLater();
      return error.message;
    } finally {
      clock.stop();
    }
    this.#failures = 0;
    const { tools, problem } = listed;
    const isNews = this.#tools === undefined || !areSameTools(this.#tools, tools);
    this.#tools = tools;
    if (isNews) tell({ kind: 'tools', serverId: config.id, tools });
    return problem;
  }

  #readLater(): void {
    const next = nextAttempt(++this.#failures, this.#options.limits);
    if (next === 'give-up' || this.#isEnded) return;
    this.#again = setTimeout(() => this.changed(), next.delayMs);
    this.#again.unref();
  }
}

/** The tools of a server. One that is none, or cannot be told from another, is left out and costs no other. */
async function readTools(
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
function areSameTools(a: readonly DownstreamTool[], b: readonly DownstreamTool[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, digest }, index) => {
      const other = b[index];
      return other?.name === name && other.digest === digest;
    })
  );
}
