import { CliffordError } from '../../errors.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import { nextAttempt } from './backoff.ts';
import { CallClock } from './call-clock.ts';
import type { CallOptions } from './call-options.ts';
import type { DownstreamTool } from './downstream-tool.ts';
import { ServerConnection } from './server-connection.ts';
import type { ConnectionOptions, ConnectionRequest } from './server-connection.ts';
import { listPages } from './list-pages.ts';
import type { PagedList } from './list-pages.ts';
import type { ManagerEvent, RawObject } from './manager-event.ts';
import type { ManagerLimits } from './manager-limits.ts';
import { areSameTools, readTools } from './read-tools.ts';
import { callCancelled, callTimedOut, serverUnreachable } from './server-errors.ts';
import type { ServerHealth, ServerIdentity, ServerState } from './server-state.ts';
import { ServerNotices } from './server-notices.ts';
import type { ServerTransport } from '../transport/server-transport.ts';

export type SupervisedServerOptions = {
  readonly config: McpServerConfig;
  readonly limits: ManagerLimits;
  /** Makes the way to the server, anew for each attempt. */
  readonly transport: () => ServerTransport;
  /** Takes secrets of the server's configuration out of a text. */
  readonly redact: (text: string) => string;
  readonly tell: (event: ManagerEvent) => void;
  readonly answer?: NonNullable<ConnectionOptions['answer']>;
};

/** One server, whose link is renewed when it breaks. What a call needs is {@link request}. */
export class SupervisedServer {
  readonly #options: SupervisedServerOptions;
  readonly #notices: ServerNotices;
  #link: ServerConnection | undefined;
  #attempt: Promise<ServerConnection> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  #listAgain: NodeJS.Timeout | undefined;
  #listFailures = 0;
  #restarts = -1;
  #readyAt = 0;
  #health: ServerHealth = 'stopped';
  #since = new Date().toISOString();
  #problem: string | undefined;
  #identity: ServerIdentity | undefined;
  #tools: readonly DownstreamTool[] = [];
  #isListed = false;
  #isRelisting = false;
  #isStale = false;
  #isStopped = false;

  constructor(options: SupervisedServerOptions) {
    this.#options = options;
    this.#notices = new ServerNotices(options.config.id, {
      tell: options.tell,
      onToolsChanged: () => this.#relist(),
    });
  }

  get tools(): readonly DownstreamTool[] {
    return this.#tools;
  }

  get state(): ServerState {
    const { id, transport } = this.#options.config;
    const server = this.#identity;
    return {
      id,
      transport,
      health: this.#health,
      since: this.#since,
      toolCount: this.#tools.length,
      ...(server === undefined ? {} : { server }),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
      restarts: Math.max(0, this.#restarts),
    };
  }

  /** The link, once it is ready; a server that is away is tried at once. @throws `SERVER_UNREACHABLE`. */
  reach(): Promise<ServerConnection> {
    if (this.#isStopped)
      return Promise.reject(serverUnreachable(this.#options.config.id, 'it was told to stop'));
    if (this.#health === 'ready' && this.#link !== undefined) return Promise.resolve(this.#link);
    clearTimeout(this.#retry);
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /** @throws as {@link ServerConnection.request}, and `SERVER_UNREACHABLE`. */
  async request(request: ConnectionRequest, options: CallOptions): Promise<RawObject> {
    const clock = new CallClock(options.timeoutMs ?? this.#options.config.timeoutMs, options.signal);
    try {
      const link = await this.#reachWithin(clock, request.what);
      try {
        return await link.request(request, clock, options);
      } finally {
        if (clock.isLate) void this.#checkLife(link);
      }
    } finally {
      clock.stop();
    }
  }

  /** A list of the server; empty where it has no such thing. @throws as {@link request}. */
  async list(method: string, key: string, options: CallOptions): Promise<PagedList> {
    const clock = new CallClock(options.timeoutMs ?? this.#options.config.startTimeoutMs, options.signal);
    try {
      return await listOf(await this.#reachWithin(clock, listName(key)), method, key, clock);
    } finally {
      clock.stop();
    }
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#listAgain);
    this.#notices.end();
    await this.#link?.close();
    // One that was being opened has noticed by now.
    await Promise.allSettled([this.#attempt]);
    this.#become('stopped');
  }

  /** The link, unless the time of a call is over before there is one. */
  async #reachWithin(clock: CallClock, what: string): Promise<ServerConnection> {
    const { id } = this.#options.config;
    const over = Promise.withResolvers<never>();
    const end = () =>
      over.reject(clock.isLate ? callTimedOut(id, what, clock.limitMs) : callCancelled(id, what));
    if (clock.signal.aborted) end();
    clock.signal.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([this.reach(), over.promise]);
    } finally {
      clock.signal.removeEventListener('abort', end);
    }
  }

  async #open(): Promise<ServerConnection> {
    this.#restarts++;
    // What is left of the one before: two of a server at once may be in each other's way.
    await this.#link?.close();
    this.#become('starting');
    this.#listFailures = 0;
    const link = this.#makeLink();
    this.#link = link;
    try {
      await link.open();
      this.#identity = link.identity;
      const problem = await this.#readTools(link);
      if (link.isOver) throw serverUnreachable(this.#options.config.id, link.whyOver);
      this.#readyAt = performance.now();
      this.#become('ready', problem);
      if (this.#isStale) this.#relist();
      return link;
    } catch (error) {
      if (!this.#isStopped) this.#failed(link.isOver ? link.whyOver : messageOf(error));
      throw error;
    }
  }

  #makeLink(): ServerConnection {
    const { config, transport, answer } = this.#options;
    if (this.#isStopped) throw serverUnreachable(config.id, 'it was told to stop');
    const link: ServerConnection = new ServerConnection({
      id: config.id,
      transport: transport(),
      startTimeoutMs: config.startTimeoutMs,
      onEnd: (why) => this.#lost(link, why),
      onNotification: (method, params) => this.#notices.take(method, params),
      onRemark: (remark) => this.#remark(remark),
      ...(answer === undefined ? {} : { answer }),
    });
    return link;
  }

  /** A link that ends while it is opened is the failure of that attempt. */
  #lost(link: ServerConnection, why: string): void {
    if (link !== this.#link || this.#health !== 'ready' || this.#isStopped) return;
    if (performance.now() - this.#readyAt >= this.#options.limits.healthyAfterMs) this.#failures = 0;
    this.#failed(why);
  }

  #failed(why: string): void {
    const next = nextAttempt(++this.#failures, this.#options.limits);
    if (next === 'give-up') {
      // From here on each call is an attempt of its own.
      this.#become('failed', why);
      return;
    }
    this.#become('down', why);
    this.#retry = setTimeout(() => {
      // How it went is in the state, which everybody is told.
      void Promise.allSettled([this.reach()]);
    }, next.delayMs);
    this.#retry.unref();
  }

  /** A server that let a call run out of time may have come to a standstill: then a new one helps. */
  async #checkLife(link: ServerConnection): Promise<void> {
    const { pingMs } = this.#options.limits;
    const clock = new CallClock(pingMs, undefined);
    try {
      await link.request({ method: 'ping', params: {}, what: 'a ping' }, clock, {});
    } catch (error) {
      if (clock.isLate) await link.close(`it did not answer a ping within ${pingMs / 1_000} s`);
      // Lost, or alive enough to refuse: both are known.
      else if (!(error instanceof CliffordError)) throw error;
    } finally {
      clock.stop();
    }
  }

  #relist(): void {
    this.#isStale = true;
    const link = this.#link;
    if (this.#health !== 'ready' || link === undefined || this.#isRelisting) return;
    this.#isRelisting = true;
    void this.#followChanges(link).finally(() => {
      this.#isRelisting = false;
    });
  }

  async #followChanges(link: ServerConnection): Promise<void> {
    while (this.#isStale && this.#health === 'ready' && link === this.#link) {
      const problem = await this.#readTools(link);
      if (this.#health === 'ready' && link === this.#link) this.#become('ready', problem);
    }
  }

  /**
   * Lists the tools and tells of them if they are others than before. Returns what is wrong with the list, which costs
   * the server nothing else, since one that is lost meanwhile is seen elsewhere. Where there is no list at all it is
   * asked for again, later: the server may not have been up to it yet.
   */
  async #readTools(link: ServerConnection): Promise<string | undefined> {
    const { config, tell } = this.#options;
    this.#isStale = false;
    clearTimeout(this.#listAgain);
    const clock = new CallClock(config.startTimeoutMs, undefined);
    let listed;
    try {
      listed = await readTools(config.id, await listOf(link, 'tools/list', 'tools', clock));
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      if (!link.isOver) this.#listLater();
      return error.message;
    } finally {
      clock.stop();
    }
    this.#listFailures = 0;
    const { tools, problem } = listed;
    const isNews = !this.#isListed || !areSameTools(this.#tools, tools);
    this.#tools = tools;
    this.#isListed = true;
    if (isNews) tell({ kind: 'tools', serverId: config.id, tools });
    return problem;
  }

  #listLater(): void {
    const next = nextAttempt(++this.#listFailures, this.#options.limits);
    if (next === 'give-up' || this.#isStopped) return;
    this.#listAgain = setTimeout(() => this.#relist(), next.delayMs);
    this.#listAgain.unref();
  }

  /** The first one counts: what follows is more of the same. */
  #remark(remark: string): void {
    if (this.#health === 'ready' && this.#problem === undefined) this.#become('ready', remark);
  }

  #become(health: ServerHealth, problem?: string): void {
    const redacted = problem === undefined ? undefined : this.#options.redact(problem);
    if (health === this.#health && redacted === this.#problem) return;
    if (health !== this.#health) this.#since = new Date().toISOString();
    this.#health = health;
    this.#problem = redacted;
    this.#options.tell({ kind: 'state', serverId: this.#options.config.id, state: this.state });
  }
}

async function listOf(
  link: ServerConnection,
  method: string,
  key: string,
  clock: CallClock,
): Promise<PagedList> {
  const [capability = ''] = method.split('/');
  if (link.identity?.capabilities[capability] === undefined) return { elements: [] };
  const what = listName(key);
  return listPages(key, (params) => link.request({ method, params, what }, clock, {}));
}

function listName(key: string): string {
  return `the list of ${key}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
