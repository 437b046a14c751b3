import { CliffordError } from '../../errors.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import { nextAttempt } from './next-attempt.ts';
import { CallClock } from './call-clock.ts';
import type { CallOptions } from './call-options.ts';
import type { DownstreamTool } from './downstream-tool.ts';
import { ServerConnection, type ConnectionOptions, type ConnectionRequest } from './server-connection.ts';
import { listName, listOf, type PagedList } from './list-pages.ts';
import type { ManagerEvent, RawObject } from './manager-event.ts';
import type { ManagerLimits } from './manager-limits.ts';
import { callCancelled, callTimedOut, serverUnreachable } from './server-errors.ts';
import type { ServerState } from './server-state.ts';
import { ServerStatus } from './server-status.ts';
import { ServerNotices } from './server-notices.ts';
import { ToolList } from './tool-list.ts';
import type { EitherRevision } from '../transport/either-revision.ts';
import { messageOf } from '../../lib/message-of.ts';

export type SupervisedServerOptions = {
  readonly config: McpServerConfig;
  readonly limits: ManagerLimits;
  /** Makes the way to the server, anew for each attempt. */
  readonly transport: () => EitherRevision;
  /** Takes secrets of the server's configuration out of a text. */
  readonly redact: (text: string) => string;
  readonly tell: (event: ManagerEvent) => void;
  readonly answer?: NonNullable<ConnectionOptions['answer']>;
};

/** One server, whose connection is renewed when it breaks. What a call needs is {@link request}. */
export class SupervisedServer {
  readonly #options: SupervisedServerOptions;
  readonly #notices: ServerNotices;
  readonly #status: ServerStatus;
  readonly #list: ToolList;
  #connection: ServerConnection | undefined;
  #attempt: Promise<ServerConnection> | undefined;
  /** Attempts that failed in a row, the timer of the next one, and since when the last was good (`performance.now()`). */
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #readyAt = 0;
  #isStopped = false;

  constructor(options: SupervisedServerOptions) {
    this.#options = options;
    this.#status = new ServerStatus({ ...options, toolCount: () => this.tools.length });
    this.#list = new ToolList({
      ...options,
      readyConnection: () => this.#readyConnection,
      onRead: (problem) => this.#status.become('ready', problem),
    });
    this.#notices = new ServerNotices(options.config.id, {
      tell: options.tell,
      onToolsChanged: () => this.#list.changed(),
    });
  }

  get tools(): readonly DownstreamTool[] {
    return this.#list.tools;
  }

  get state(): ServerState {
    return this.#status.state;
  }

  /** The connection, once it is ready; a server that is away is tried at once. @throws `SERVER_UNREACHABLE`. */
  reach(): Promise<ServerConnection> {
    if (this.#isStopped)
      return Promise.reject(serverUnreachable(this.#options.config.id, 'it was told to stop'));
    const ready = this.#readyConnection;
    if (ready !== undefined) return Promise.resolve(ready);
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
      const connection = await this.#reachWithin(clock, request.what);
      try {
        return await connection.request(request, clock, options);
      } finally {
        if (clock.isLate) void this.#checkLife(connection);
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
    this.#list.end();
    this.#notices.end();
    await this.#connection?.close();
    // One that was being opened has noticed by now.
    await Promise.allSettled([this.#attempt]);
    this.#status.become('stopped');
  }

  get #readyConnection(): ServerConnection | undefined {
    return this.#status.isReady ? this.#connection : undefined;
  }

  /** The connection, unless the time of a call is over before there is one. */
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
    this.#status.noteStart();
    // What is left of the one before: two of a server at once may be in each other's way.
    await this.#connection?.close();
    this.#status.become('starting');
    const connection = this.#makeConnection();
    this.#connection = connection;
    try {
      await connection.open();
      this.#status.identity = connection.identity;
      const problem = await this.#list.begin(connection);
      if (connection.isOver) throw serverUnreachable(this.#options.config.id, connection.whyOver);
      this.#readyAt = performance.now();
      this.#status.become('ready', problem);
      this.#list.resume();
      return connection;
    } catch (error) {
      if (!this.#isStopped) this.#failed(connection.isOver ? connection.whyOver : messageOf(error));
      throw error;
    }
  }

  #makeConnection(): ServerConnection {
    const { config, transport, answer } = this.#options;
    if (this.#isStopped) throw serverUnreachable(config.id, 'it was told to stop');
    const connection: ServerConnection = new ServerConnection({
      id: config.id,
      transport: transport(),
      startTimeoutMs: config.startTimeoutMs,
      onEnd: (why) => this.#lost(connection, why),
      onNotification: (method, params) => this.#notices.take(method, params),
      onRemark: (remark) => this.#status.remark(remark),
      answer,
    });
    return connection;
  }

  /** A connection that ends while it is opened is the failure of that attempt. */
  #lost(connection: ServerConnection, why: string): void {
    if (connection !== this.#connection || !this.#status.isReady || this.#isStopped) return;
    if (performance.now() - this.#readyAt >= this.#options.limits.healthyAfterMs) this.#failures = 0;
    this.#failed(why);
  }

  #failed(why: string): void {
    const next = nextAttempt(++this.#failures, this.#options.limits);
    if (next === 'give-up') {
      // From here on each call is an attempt of its own.
      this.#status.become('failed', why);
      return;
    }
    this.#status.become('down', why);
    this.#retry = setTimeout(() => {
      // How it went is in the state, which everybody is told.
      void Promise.allSettled([this.reach()]);
    }, next.delayMs);
    this.#retry.unref();
  }

  /** A server that let a call run out of time may have come to a standstill: then a new one helps. */
  async #checkLife(connection: ServerConnection): Promise<void> {
    const { pingMs } = this.#options.limits;
    const clock = new CallClock(pingMs, undefined);
    try {
      await connection.request({ method: 'ping', params: {}, what: 'a ping' }, clock, {});
    } catch (error) {
      if (clock.isLate) await connection.close(`it did not answer a ping within ${pingMs / 1_000} s`);
      // Lost, or alive enough to refuse: both are known.
      else if (!(error instanceof CliffordError)) throw error;
    } finally {
      clock.stop();
    }
  }
}
