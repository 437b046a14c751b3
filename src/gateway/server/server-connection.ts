import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../lib/time/longest-timer.ts';
import { version } from '../../version.ts';
import { AskedByServer, type ServerRequestHandler } from './asked-by-server.ts';
import type { CallClock } from './call-clock.ts';
import type { CallOptions, CallProgress } from './call-options.ts';
import { CUT_OFF } from '../transport/http-transport.ts';
import { IncomingTap } from '../transport/incoming-tap.ts';
import type { RawObject } from './manager-event.ts';
import { errorLine, shortLine } from '../transport/short-line.ts';
import { callCancelled, callRefused, callTimedOut, serverLost, serverUnreachable } from './server-errors.ts';
import type { ServerIdentity } from './server-state.ts';
import type { EitherRevision } from '../transport/either-revision.ts';
import { Throttle } from '../../lib/time/throttle.ts';
import { messageOf } from '../../lib/message-of.ts';

/** Of one call's progress no more is passed on than one in so many ms: the latest. */
const PROGRESS_EVERY_MS = 20;

/** Any result: what is in it is for whoever asked. */
const rawResult = z.record(z.string(), z.unknown());

export type ConnectionOptions = {
  readonly id: string;
  readonly transport: EitherRevision;
  readonly startTimeoutMs: number;
  /** Called once when the connection ends, whoever ended it. `why` is a clause. */
  readonly onEnd: (why: string) => void;
  readonly onNotification: (method: string, params: RawObject) => void;
  /** What the server does wrong without costing a call. */
  readonly onRemark: (remark: string) => void;
  /** Answers its sampling and elicitation requests; without it neither is offered. */
  readonly answer?: ServerRequestHandler | undefined;
};

/** What a request is, to the server and in a sentence: `the tool echo`. */
export type ConnectionRequest = {
  readonly method: string;
  readonly params: RawObject;
  readonly what: string;
};

/** One connection to a server: from `initialize` until it breaks or is closed. Never renewed. */
export class ServerConnection {
  readonly #options: ConnectionOptions;
  readonly #client: Client;
  readonly #asked: AskedByServer;
  readonly #progress = new Map<string, (progress: CallProgress) => void>();
  #identity: ServerIdentity | undefined;
  #calls = 0;
  #isOver = false;
  #whyClosed = 'the connection was closed';

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#asked = new AskedByServer(options.answer);
    const capabilities =
      options.answer === undefined ? {} : { sampling: {}, elicitation: { form: {}, url: {} } };
    this.#client = new Client({ name: 'clifford', version }, { capabilities });
    this.#client.onerror = (error) => options.onRemark(shortLine(error.message));
    this.#client.onclose = () => this.#ended();
    this.#client.fallbackRequestHandler = (request, extra) => this.#asked.handle(request, extra);
    this.#client.fallbackNotificationHandler = async ({ method, params }) =>
      options.onNotification(method, params ?? {});
  }

  /**
   * Starts the transport and says `initialize`.
   *
   * @throws {CliffordError} `SERVER_UNREACHABLE`; nothing is left of the connection then.
   */
  async open(): Promise<void> {
    const { id, transport, startTimeoutMs } = this.#options;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const hint = transport.startHint === undefined ? '' : `; ${transport.startHint}`;
      late.reject(new Error(`it did not answer \`initialize\` within ${startTimeoutMs / 1_000} s${hint}`));
    }, startTimeoutMs);
    const tap = new IncomingTap(transport, (message) => this.#takes(message));
    try {
      await Promise.race([this.#client.connect(tap, { timeout: LONGEST_TIMER_MS }), late.promise]);
    } catch (cause) {
      await this.close(transport.ending ?? shortLine(messageOf(cause)));
      throw serverUnreachable(id, this.whyOver, cause);
    } finally {
      clearTimeout(timer);
    }
    this.#identity = identityOf(this.#client, transport.protocol);
  }

  /** Once it is open. */
  get identity(): ServerIdentity | undefined {
    return this.#identity;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Why it ended, as a clause, with what the server last wrote. */
  get whyOver(): string {
    const { transport } = this.#options;
    return withWords(transport.ending ?? this.#whyClosed, transport.lastWords());
  }

  /**
   * Sends a request, whose time `clock` limits.
   *
   * @throws {CliffordError} `SERVER_LOST`, `CALL_TIMED_OUT`, `CALL_CANCELLED`, `CALL_REFUSED`.
   */
  async request(
    { method, params, what }: ConnectionRequest,
    clock: CallClock,
    options: CallOptions,
  ): Promise<RawObject> {
    const { id } = this.#options;
    const { onProgress } = options;
    const token = onProgress && `p${++this.#calls}`;
    const relay = onProgress && new Throttle(PROGRESS_EVERY_MS, onProgress);
    if (token && relay) this.#progress.set(token, (progress) => relay.push(progress));
    try {
      if (clock.signal.aborted) throw new Error('the call is over');
      const meta = token === undefined ? {} : { _meta: { progressToken: token } };
      const request = { method, params: { ...params, ...meta } };
      return await this.#client.request(request, rawResult, {
        signal: clock.signal,
        timeout: LONGEST_TIMER_MS,
      });
    } catch (error) {
      if (clock.isLate) throw callTimedOut(id, what, clock.limitMs);
      if (clock.signal.aborted) throw callCancelled(id, what);
      if (this.#isOver) throw serverLost(id, what, this.whyOver);
      if (error instanceof McpError && error.code === CUT_OFF) throw serverLost(id, what, errorLine(error));
      throw callRefused(id, what, errorLine(error), error);
    } finally {
      if (token) this.#progress.delete(token);
      // Nothing may come behind the result; whoever has left wants nothing more.
      if (clock.signal.aborted) relay?.drop();
      else relay?.end();
    }
  }

  /** Resolves when nothing is left of the server's process, if it has one. `why` is for whoever waits for an answer. */
  async close(why = 'the connection was closed'): Promise<void> {
    this.#whyClosed = why;
    await this.#options.transport.close();
    this.#ended();
  }

  /** Takes progress: the SDK would pass it on too late, after a result that came with it. */
  #takes(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    if ('id' in message) {
      this.#asked.arrived(message.id, message.method);
      return false;
    }
    const params: RawObject = message.params ?? {};
    if (message.method === 'notifications/cancelled') this.#asked.cancelled(params['requestId']);
    if (message.method !== 'notifications/progress') return false;
    const progress = progressSchema.safeParse(params);
    if (progress.success) {
      const { progressToken, ...told } = progress.data;
      this.#progress.get(progressToken)?.(told);
    }
    return true;
  }

  #ended(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#asked.end();
    this.#options.onEnd(this.whyOver);
  }
}

const progressSchema = z.object({
  progressToken: z.string(),
  progress: z.number(),
  total: z.number().exactOptional(),
  message: z.string().exactOptional(),
});

function withWords(why: string, words: string): string {
  return words === '' ? why : `${why}; it last wrote: ${words}`;
}

function identityOf(client: Client, protocol: string): ServerIdentity {
  const { name = '', version: itsVersion = '' } = client.getServerVersion() ?? {};
  const instructions = client.getInstructions();
  return {
    name,
    version: itsVersion,
    protocol,
    capabilities: client.getServerCapabilities() ?? {},
    instructions,
  };
}
