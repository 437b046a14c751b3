import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResultResponse,
} from '@modelcontextprotocol/sdk/types.js';
import { within } from '../../lib/processes/settled-within.ts';
import { discoveryIn, sendDiscover, STATELESS } from './discovery.ts';
import type { ServerTransport } from './server-transport.ts';
import { StatelessServer } from './stateless-server.ts';

/** The id of the question which revision a server speaks. */
const PROBE = 'clifford.discover';

/** How long a server that refuses `initialize` may take to say that it speaks a newer revision, in ms. */
const REFUSED_MS = 2_000;

/** What is known of a server from one connection to the next. */
export type KnownRevision = {
  /** It did not stand being asked: `initialize` comes first. */
  isOld: boolean;
};

export type EitherRevisionOptions = {
  /** Makes the way to the server: a second one where the first did not survive the question. */
  readonly wire: () => ServerTransport;
  readonly known: KnownRevision;
  /** Whether it may speak the newer revision at all. */
  readonly asks: boolean;
  /** How long a server may say nothing to what older ones do not know, in ms: then it goes on without. */
  readonly probeMs: number;
};

/**
 * The way to a server of whatever revision of MCP, for a client of the older ones: asks it by `server/discover` before
 * `initialize`. One that speaks 2026-07-28 is translated; any other gets and sends its messages as they are. There are
 * servers that end, or say nothing, when anything comes before `initialize`: they are started again, or get it later.
 */
export class EitherRevision implements ServerTransport {
  readonly #options: EitherRevisionOptions;
  #wire: ServerTransport;
  /** What the client begins with, and whether this server has got it. */
  #initialize: JSONRPCRequest | undefined;
  #isInitializing = false;
  /** Once the client has its answer, the server's own or ours. */
  #isIntroduced = false;
  /** Whether this wire was asked for its revision; what it answered; resolved when waiting for that is over. */
  #wasAsked = false;
  #answer: JSONRPCMessage | undefined;
  readonly #answered = Promise.withResolvers<void>();
  /** Under way when the wire did not survive the question. */
  #revival: Promise<void> | undefined;
  #stateless: StatelessServer | undefined;
  #isClosing = false;
  #protocol = '';

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: EitherRevisionOptions) {
    this.#options = options;
    this.#wire = options.wire();
  }

  /** The protocol version agreed on, once the server is initialised. */
  get protocol(): string {
    return this.#protocol;
  }

  get ending(): string | undefined {
    return this.#wire.ending;
  }

  get startHint(): string | undefined {
    return this.#wire.startHint;
  }

  lastWords(): string {
    return this.#wire.lastWords();
  }

  async start(): Promise<void> {
    const wire = this.#wire;
    wire.onmessage = (message) => this.#received(message);
    wire.onerror = (error) => this.onerror?.(error);
    wire.onclose = () => this.#closed(wire);
    await wire.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#stateless) await this.#stateless.send(message);
    else if ('id' in message && 'method' in message && message.method === 'initialize')
      await this.#begin(message);
    else await this.#wire.send(message);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#answered.resolve();
    this.#stateless?.end();
    await this.#wire.close();
    await Promise.allSettled([this.#revival]);
    // The one that came of it.
    await this.#wire.close();
  }

  setProtocolVersion(version: string): void {
    this.#protocol = this.#stateless ? STATELESS : version;
    if (!this.#stateless) this.#wire.setProtocolVersion?.(version);
  }

  async #begin(initialize: JSONRPCRequest): Promise<void> {
    this.#initialize = initialize;
    const { asks, known } = this.#options;
    if (asks && !known.isOld) await this.#ask(initialize);
    const revival = this.#revival;
    await revival;
    if (this.#becomesStateless()) return;
    this.#isInitializing = true;
    try {
      await this.#wire.send(initialize);
    } catch (error) {
      // One that begins now sends it again.
      if (this.#revival !== revival) return await this.#revival;
      // Over HTTP a refusal comes like this.
      if (this.ending === undefined && (await this.#isNewAfterAll())) return;
      throw error;
    }
  }

  async #ask(initialize: JSONRPCRequest): Promise<void> {
    const { known, probeMs } = this.#options;
    this.#wasAsked = true;
    // A refusal is an answer, too. What a wire says that has broken is said by its end.
    sendDiscover(this.#wire, PROBE, initialize).catch(() => this.#answered.resolve());
    if (!(await within(probeMs, [this.#answered.promise]))) known.isOld = true;
  }

  #received(message: JSONRPCMessage): void {
    if ('method' in message) {
      this.#deliver(message);
    } else if (message.id === PROBE) {
      this.#answer = message;
      this.#answered.resolve();
    } else if (!this.#isIntroduced && message.id === this.#initialize?.id) {
      void this.#introduced(message);
    } else {
      this.#deliver(message);
    }
  }

  async #introduced(message: JSONRPCResultResponse | JSONRPCErrorResponse): Promise<void> {
    if ('error' in message && (await this.#isNewAfterAll())) return;
    this.#isIntroduced = true;
    this.#deliver(message);
  }

  /** A server that refuses `initialize` may have been too slow to say that it speaks the newer revision. */
  async #isNewAfterAll(): Promise<boolean> {
    this.#options.known.isOld = false;
    if (this.#wasAsked) await within(REFUSED_MS, [this.#answered.promise]);
    return this.#becomesStateless();
  }

  #deliver(message: JSONRPCMessage): void {
    if (this.#stateless) this.#stateless.received(message);
    else this.onmessage?.(message);
  }

  /** Whether the server has said that it speaks the newer revision: from here on it is translated. */
  #becomesStateless(): boolean {
    const discovery = this.#answer && discoveryIn(this.#answer);
    if (discovery === undefined || this.#initialize === undefined) return false;
    this.#isIntroduced = true;
    this.#options.known.isOld = false;
    this.#stateless = new StatelessServer({
      discovery,
      initialize: this.#initialize,
      wire: this.#wire,
      deliver: (message) => this.onmessage?.(message),
      remark: (remark) => this.onerror?.(new Error(remark)),
      listenMs: this.#options.probeMs,
    });
    this.#stateless.introduce();
    return true;
  }

  #closed(wire: ServerTransport): void {
    if (wire !== this.#wire) return;
    if (!this.#wasAsked || this.#isIntroduced || this.#isClosing) {
      this.#stateless?.end();
      this.onclose?.();
      return;
    }
    this.#revival = this.#revive(wire);
    this.#revival.catch(() => this.onclose?.());
  }

  /** It may be the question that ended it: once more, without. */
  async #revive(ended: ServerTransport): Promise<void> {
    // A program is not to be started twice each time; what is behind a URL may just not have been there.
    if (!ended.streams) this.#options.known.isOld = true;
    this.#wasAsked = false;
    await ended.close();
    if (this.#isClosing) throw new Error('the connection was closed');
    this.#wire = this.#options.wire();
    await this.start();
    this.#answered.resolve();
    if (this.#isInitializing && this.#initialize) await this.#wire.send(this.#initialize);
  }
}
