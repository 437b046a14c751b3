import {
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../lib/time/backoff.ts';
import { connected, PATIENCE_MS, PAUSE, type Connected, type Patience } from './connected.ts';
import {
  asLogError,
  isLoginRefusal,
  isPassing,
  logClosed,
  loginRefused,
  troubleOf,
  unreachable,
} from './jetstream-errors.ts';
import type { LogAddress } from './log-address.ts';
import type { MessagePlace } from './message.ts';
import { logNames, type LogNames } from './names.ts';
import { requireJetStream } from './require-jetstream.ts';
import { requireServerVersion } from './server-version.ts';
import { REQUEST_MS, ServerWait } from './server-wait.ts';

/** Before the requests of JetStream, where the log is in one's own account. */
export const JETSTREAM_API = '$JS.API';
const NO_CHECK = { timeout: REQUEST_MS, checkAPI: false };

/** What became of the connection: it was there again, or has been away for {@link PATIENCE_MS}. */
export type LinkChange = 'back' | 'lost';
type LinkListener = (change: LinkChange) => void;

/** A connection to the server that has a log. */
export class LogServer {
  readonly name: string;
  readonly project: string;
  readonly names: LogNames;
  readonly connection: NatsConnection;
  #client: JetStreamClient;
  #manager: JetStreamManager;
  #api = JETSTREAM_API;
  /** The newest message that was read or written here: what is appended comes after it. */
  seen: MessagePlace | undefined;
  #maxBytes = 0;
  /** How long it is waited for while it does not answer. */
  readonly wait: ServerWait;
  readonly #loginTrouble: () => string | undefined;
  readonly #disconnect: () => Promise<void>;
  /** What it said first of the login, while it does not let one in again. */
  #refusal: Error | undefined;
  readonly #closing = new AbortController();
  readonly #links = new Set<LinkListener>();

  private constructor(
    { name, project }: LogAddress,
    { connection, loginTrouble, close }: Connected,
    manager: JetStreamManager,
    patience: Patience,
  ) {
    this.name = name;
    this.project = project;
    this.wait = new ServerWait(patience, this.closing);
    this.#loginTrouble = loginTrouble;
    this.#disconnect = close;
    this.names = logNames(project);
    this.connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: REQUEST_MS });
    this.#maxBytes = connection.info?.max_payload ?? 0;
    void this.#watch();
  }

  /**
   * Connects. Later the connection is made again whenever it is lost.
   *
   * @throws {CliffordError} `LOG_UNREACHABLE`, `LOG_TLS_FAILED`, `LOG_FORBIDDEN`, `LOG_SERVER_TOO_OLD`.
   */
  static async connect(address: LogAddress, patience: Patience = {}): Promise<LogServer> {
    const { name } = address;
    const made = await connected(address, patience);
    const { connection } = made;
    try {
      requireServerVersion(name, versionOf(connection));
      const manager = await jetstreamManager(connection, NO_CHECK);
      // Who waits for one that is away waits for that, too.
      if (!patience.onAway) await requireJetStream(name, connection, manager);
      return new LogServer(address, made, manager, patience);
    } catch (error) {
      await made.close();
      throw error;
    }
  }

  get jetstream(): JetStreamClient {
    return this.#client;
  }

  get manager(): JetStreamManager {
    return this.#manager;
  }

  /** What stands before the name of each request of JetStream. */
  get api(): string {
    return this.#api;
  }

  /** Whether this account may only look: it makes nothing on the server, no consumer either. */
  get looksOnly(): boolean {
    return this.#api === this.names.lookApi;
  }

  /** Finds out by which names this account asks for the log, whether it is there yet or not. */
  async findApi(): Promise<void> {
    try {
      await this.streamInfo();
    } catch (error) {
      if (troubleOf(error) !== 'no-stream') throw error;
    }
  }

  /** What the stream of the log is now. Does {@link findApi}, too. */
  async streamInfo(): Promise<StreamInfo> {
    try {
      return await this.#manager.streams.info(this.names.stream);
    } catch (error) {
      if (this.#api !== JETSTREAM_API || !isOfOtherAccount(error)) throw error;
    }
    const { useApi, lookApi } = this.names;
    try {
      return await this.#infoBy(useApi);
    } catch (error) {
      if (!isNobodys(error)) throw error;
      try {
        return await this.#infoBy(lookApi);
      } catch (looking) {
        // It may have been away for a moment: who may not even look is to try the first again.
        throw troubleOf(looking) === 'forbidden' ? error : looking;
      }
    }
  }

  /** Asks for the stream by other names than those of JetStream, and goes on by them if they are answered. */
  async #infoBy(apiPrefix: string): Promise<StreamInfo> {
    const options = { ...NO_CHECK, apiPrefix };
    const manager = await jetstreamManager(this.connection, options);
    const goOn = () => {
      this.#manager = manager;
      this.#client = jetstream(this.connection, options);
      this.#api = apiPrefix;
    };
    try {
      const info = await manager.streams.info(this.names.stream);
      goOn();
      return info;
    } catch (error) {
      if (troubleOf(error) === 'no-stream') goOn();
      throw error;
    }
  }

  /** What the server is that answers now, e.g. `2.11.4`. */
  get version(): string {
    return versionOf(this.connection);
  }

  /** Aborts when the log is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Longest message in bytes, with its headers, as the server said when it was there last. */
  get maxBytes(): number {
    this.#maxBytes = this.connection.info?.max_payload ?? this.#maxBytes;
    return this.#maxBytes;
  }

  /**
   * Asks the server, again while it does not answer, as long as {@link ServerWait} says. `doing`: for the message of an error,
   * e.g. `read`.
   *
   * @throws {CliffordError} `LOG_UNREACHABLE`, `LOG_FORBIDDEN`, `LOG_REFUSED`, `LOG_CLOSED`; what is none of the client's
   *   errors as it is; that there is no such stream as the client says it.
   */
  async ask<T>(doing: string, request: () => Promise<T>): Promise<T> {
    const since = performance.now();
    for (let tries = 0; ; tries += 1) {
      try {
        const answer = await this.answerTo(request());
        this.wait.noteDone();
        return answer;
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === 'no-stream') throw error;
        if (this.closing.aborted) throw logClosed(this.name);
        const failure = isPassing(trouble) ? this.lost(doing, error) : asLogError(this.name, doing, error);
        if (!isPassing(trouble) || !this.wait.goesOn(since, failure)) throw failure;
        await pause(backoffMs(PAUSE, tries), undefined, { signal: this.closing }).catch(() => undefined);
      }
    }
  }

  /** That the server cannot be asked, with what it says of the login. `doing`: as for {@link ask}. */
  lost(doing = 'read', error?: unknown): unknown {
    if (this.#refusal) return loginRefused(this.name, doing, this.#refusal, this.#loginTrouble());
    return error === undefined ? unreachable(this.name) : asLogError(this.name, doing, error);
  }

  /** What a request is answered; that nobody knows, once another connection is there than the one it was sent by. */
  async answerTo<T>(request: Promise<T>): Promise<T> {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const offLink = this.onLink(() => reject(new errors.ConnectionError('the connection was lost')));
    try {
      const answer = await Promise.race([request, lost]);
      this.wait.noteThere();
      return answer;
    } catch (error) {
      // It is an answer, too, that what was asked for cannot be had.
      if (!isPassing(troubleOf(error))) this.wait.noteThere();
      throw error;
    } finally {
      offLink();
    }
  }

  /** Notes that a message was read or written. */
  note(place: MessagePlace): void {
    if (place.seq > (this.seen?.seq ?? 0)) this.seen = place;
  }

  /** Calls `listener` with what becomes of the connection, until the returned function is called. */
  onLink(listener: LinkListener): () => void {
    this.#links.add(listener);
    return () => this.#links.delete(listener);
  }

  /** Ends what waits. What is under way goes on until {@link close}. */
  end(): void {
    this.#closing.abort();
  }

  /** Closes the connection. Safe to call twice. */
  async close(): Promise<void> {
    this.end();
    await this.#disconnect();
  }

  async #watch(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tell = (change: LinkChange) => {
      for (const listener of this.#links) listener(change);
    };
    for await (const status of this.connection.status()) {
      const { type } = status;
      if (type === 'error' && isLoginRefusal(status.error)) this.#refusal ??= status.error;
      else if (type === 'disconnect') {
        clearTimeout(timer);
        timer = setTimeout(tell, PATIENCE_MS, 'lost');
      } else if (type === 'reconnect') {
        clearTimeout(timer);
        this.#refusal = undefined;
        this.wait.noteThere();
        tell('back');
      }
    }
    clearTimeout(timer);
  }
}

function versionOf({ info }: NatsConnection): string {
  return info?.version ?? '0';
}

/** One's account has no JetStream of its own. */
function isOfOtherAccount(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof JetStreamApiError && cause.code === JetStreamApiCodes.JetStreamNotEnabledForAccount;
}

/** It is not called so in one's account. */
function isNobodys(error: unknown): boolean {
  return ['forbidden', 'unavailable'].includes(troubleOf(error) ?? '');
}
