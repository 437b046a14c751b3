import { secretsOf } from '../../events/secrets/redaction.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import { isLoopback } from '../config/url-rules.ts';
import type { CallOptions } from './call-options.ts';
import { childEnvironment, envEdit, missingNetworkVariables } from '../transport/child-environment.ts';
import { ChildTransport } from '../transport/child-transport.ts';
import type { DownstreamTool } from './downstream-tool.ts';
import { EitherRevision } from '../transport/either-revision.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import type { ManagerEvent, RawObject } from './manager-event.ts';
import { MANAGER_LIMITS, type ManagerLimits } from './manager-limits.ts';
import { serverUnknown } from './server-errors.ts';
import type { ServerState } from './server-state.ts';
import type { ServerTransport } from '../transport/server-transport.ts';
import { StderrLog, stderrFile } from '../transport/stderr-log.ts';
import { SupervisedServer } from './supervised-server.ts';
import { Watchdog } from '../../lib/processes/group-guard.ts';

/**
 * Answers what a server asks its client: `sampling/createMessage` and `elicitation/create`. What it throws
 * reaches the server as an error. `signal` aborts when the server cancels or is lost.
 */
export type AnswerServer = (
  serverId: string,
  method: string,
  params: RawObject,
  signal: AbortSignal,
) => Promise<RawObject>;

export type McpManagerOptions = {
  /** The project's `.clifford/`: the stderr of servers is kept in its `mcp/`. */
  readonly stateDir: string;
  /** Of which only what every program needs reaches a server: its path, home, user, shell and terminal. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of what went wrong and cost nobody a call, and of servers that are not on this machine. */
  readonly report: (problem: string) => void;
  /** Without it no server is offered sampling or elicitation. */
  readonly answerServer?: AnswerServer;
  readonly limits?: Partial<ManagerLimits>;
};

/** What of a server comes in pages, apart from tools. */
export type ListedKind = keyof typeof LISTS;

const LISTS = {
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
} as const;

/** The MCP servers behind the gateway: starts, reaches, watches, calls and ends them. */
export class McpManager {
  readonly #options: McpManagerOptions;
  readonly #limits: ManagerLimits;
  readonly #watchdog: Watchdog;
  readonly #servers = new Map<string, SupervisedServer>();
  readonly #listeners = new Set<(event: ManagerEvent) => void>();

  constructor(options: McpManagerOptions) {
    this.#options = options;
    this.#limits = { ...MANAGER_LIMITS, ...options.limits };
    this.#watchdog = new Watchdog(options.report);
  }

  /**
   * Starts or reaches a server. Resolves when it is initialised and its tools are listed. From then on the connection
   * is renewed when it breaks, until {@link disconnect}. One that cannot be reached stays in {@link states} and is
   * tried again. A server of the same id is ended first.
   *
   * @throws {CliffordError} `SERVER_UNREACHABLE`, with what the server last said on stderr.
   */
  async connect(config: McpServerConfig): Promise<void> {
    const before = this.#servers.get(config.id);
    const server = this.#supervise(config);
    this.#servers.set(config.id, server);
    this.#warn(config);
    await before?.stop();
    await server.reach();
  }

  /** Ends a server and forgets it. */
  async disconnect(id: string): Promise<void> {
    const server = this.#servers.get(id);
    this.#servers.delete(id);
    await server?.stop();
  }

  /** The tools as last listed; none of a server that is not known. */
  getTools(id: string): readonly DownstreamTool[] {
    return this.#servers.get(id)?.tools ?? [];
  }

  /**
   * Calls a tool. The result is passed as it came, with `isError` or without. A server that is away is tried at once.
   *
   * @throws {CliffordError} `SERVER_UNREACHABLE`, `SERVER_LOST` (in mid-call), `CALL_TIMED_OUT`,
   * `CALL_CANCELLED`, `CALL_REFUSED` (a JSON-RPC error, which is its `cause`), `SERVER_UNKNOWN`.
   */
  async callTool(id: string, tool: string, args: RawObject, options: CallOptions = {}): Promise<RawObject> {
    const params = { name: tool, arguments: args };
    return this.#server(id).request({ method: 'tools/call', params, what: `the tool ${tool}` }, options);
  }

  /** Any other request: `resources/read`, `prompts/get`, `completion/complete` … @throws as {@link callTool}. */
  async request(
    id: string,
    method: string,
    params: RawObject,
    options: CallOptions = {},
  ): Promise<RawObject> {
    return this.#server(id).request({ method, params, what: method }, options);
  }

  /** All pages of a list; none where there are none. Ends early where the server goes round in circles. @throws as {@link callTool}. */
  async list(id: string, what: ListedKind, options: CallOptions = {}): Promise<readonly RawObject[]> {
    const { elements } = await this.#server(id).list(LISTS[what], what, options);
    return elements.filter(isJsonObject);
  }

  states(): readonly ServerState[] {
    return [...this.#servers.values()].map(({ state }) => state);
  }

  /** Tells `listener` everything from now on. Returns what ends it. */
  on(listener: (event: ManagerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Ends all servers, and whatever they have started. Takes about a second at most. */
  async close(): Promise<void> {
    await Promise.all([...this.#servers.keys()].map((id) => this.disconnect(id)));
  }

  #server(id: string): SupervisedServer {
    const server = this.#servers.get(id);
    if (server === undefined) throw serverUnknown(id);
    return server;
  }

  #supervise(config: McpServerConfig): SupervisedServer {
    const { env, answerServer } = this.#options;
    const known = { isOld: false };
    const asks = config.transport !== 'sse';
    // A server that has little time to start has it for `initialize`.
    const probeMs = Math.min(this.#limits.probeMs, config.startTimeoutMs / 4);
    return new SupervisedServer({
      config,
      limits: this.#limits,
      transport: () => new EitherRevision({ wire: () => this.#wire(config), known, asks, probeMs }),
      redact: secretsOf({ ...env, ...secretsIn(config) }).redactText,
      tell: (event) => this.#tell(event),
      ...(answerServer && {
        answer: (method: string, params: RawObject, signal: AbortSignal) =>
          answerServer(config.id, method, params, signal),
      }),
    });
  }

  #wire(config: McpServerConfig): ServerTransport {
    const { maxMessageBytes, stopGraceMs } = this.#limits;
    if (config.transport !== 'stdio') return new HttpTransport({ config, maxMessageBytes });
    const { stateDir, env, report } = this.#options;
    return new ChildTransport({
      config,
      env: childEnvironment(env, config.env),
      startHint: startHint(missingNetworkVariables(env, config.env)),
      stderr: new StderrLog(stderrFile(stateDir, config.id), report),
      watchdog: this.#watchdog,
      maxMessageBytes,
      stopGraceMs,
    });
  }

  #warn(config: McpServerConfig): void {
    if (config.transport === 'stdio') return;
    const { host = config.url, hostname = '' } = URL.parse(config.url) ?? {};
    if (isLoopback(hostname)) return;
    this.#options.report(
      `the MCP server ${config.id} is at ${host}: what agents send it leaves this machine`,
    );
  }

  #tell(event: ManagerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** Values of a configuration that may be secrets, under names that say so if theirs do. */
function secretsIn(config: McpServerConfig): Record<string, string> {
  if (config.transport === 'stdio') return { ...config.env };
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.headers)) {
    secrets[`${name}_SECRET`] = value;
    const [, token] = /^\w+ +(.+)$/.exec(value) ?? [];
    if (token !== undefined) secrets[`${name}_TOKEN`] = token;
  }
  return secrets;
}

/** A server that waits for a network it cannot reach says nothing of it. */
function startHint(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  return `it is not handed ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} set here: if it reaches the network, add ${envEdit(missing)} to its entry`;
}
