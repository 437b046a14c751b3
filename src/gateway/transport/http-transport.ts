import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { within } from '../../lib/processes/settled-within.ts';
import type { HttpServerConfig } from '../config/server-config.ts';
import { HttpFetch } from './http-fetch.ts';
import { shortLine } from './short-line.ts';
import type { RequestStreams, ServerTransport } from './server-transport.ts';
import { z } from 'zod';
import { BROKEN_RESPONSE } from './read-messages.ts';

/** How long a server may take to hear that its session is over, in ms. */
const FAREWELL_MS = 400;

/** The JSON-RPC code of a request whose answer will not come, because what was to bring it has ended. */
export const CUT_OFF = -32_099;

/**
 * MCP over HTTP, streamable or in its older form with server-sent events. Ends when the server cannot be reached any
 * more, and answers a request itself whose response stream has ended without an answer: the SDK's own transports leave
 * both to a time limit. Redirects to another origin are not followed, so headers reach no other server.
 */
export class HttpTransport implements ServerTransport {
  readonly #http: HttpFetch;
  readonly #inner: Transport;
  /** Only streamable HTTP has one that can be ended. */
  readonly #session: StreamableHTTPClientTransport | undefined;
  readonly #unanswered = new Set<RequestId>();
  #isOver = false;
  #ending: string | undefined;
  #onOver: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor({ config, maxMessageBytes }: { config: HttpServerConfig; maxMessageBytes: number }) {
    this.#http = new HttpFetch({
      config,
      maxMessageBytes,
      onLost: (why) => this.#end(shortLine(why)),
      onAnswerEnd: (id, why) => setImmediate(() => this.#cutOff(id, why ?? 'it closed the stream')),
    });
    const options = { fetch: this.#http.fetch, requestInit: { headers: { ...config.headers } } };
    const url = new URL(config.url);
    this.#session = config.transport === 'http' ? new StreamableHTTPClientTransport(url, options) : undefined;
    // oxlint-disable-next-line typescript/no-deprecated -- what it has replaced: many servers speak nothing else
    this.#inner = this.#session ?? new SSEClientTransport(url, options);
  }

  get ending(): string | undefined {
    return this.#ending;
  }

  /** A server behind a URL has no stderr. */
  lastWords(): string {
    return '';
  }

  get streams(): RequestStreams {
    return this.#http;
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.#end(undefined);
    this.#inner.onerror = (error) => {
      // What was abandoned did not go wrong.
      if (error.name !== 'AbortError') this.onerror?.(error);
    };
    this.#inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      if (!('method' in message) && message.id !== undefined) {
        this.#unanswered.delete(message.id);
        this.#http.forget(message.id);
      }
      this.onmessage?.(message, extra);
    };
    const over = Promise.withResolvers<never>();
    this.#onOver = () => over.reject(new Error(this.#ending ?? 'the connection was closed'));
    if (this.#isOver) this.#onOver();
    // A stream that is closed before the server has said anything leaves the SDK waiting.
    await Promise.race([inPlainWords(this.#inner.start()), over.promise]);
    this.#onOver = undefined;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isOver) throw new Error(this.#ending ?? 'the server is not connected');
    if ('method' in message && 'id' in message) this.#unanswered.add(message.id);
    try {
      await inPlainWords(this.#inner.send(message));
    } catch (error) {
      if ('id' in message && message.id !== undefined) this.#http.forget(message.id);
      throw error;
    }
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  /** Says goodbye to a server that keeps a session, and ends all connections. */
  async close(): Promise<void> {
    this.#closing ??= this.#leave();
    await this.#closing;
  }

  async #leave(): Promise<void> {
    if (!this.#isOver && this.#session !== undefined)
      await within(FAREWELL_MS, [this.#session.terminateSession()]);
    this.#end(undefined);
    await this.#inner.close();
    this.#http.close();
  }

  /** Whoever waits for an answer hears of it at once. */
  #end(why: string | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending = why;
    this.#onOver?.();
    this.onclose?.();
    void this.close();
  }

  #cutOff(id: RequestId, why: string): void {
    if (this.#isOver || !this.#unanswered.delete(id)) return;
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: CUT_OFF, message: `${why} before it answered` } });
  }
}

async function inPlainWords(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw httpRefusal(error);
  }
}

/** What the SDK's transports write in front of what a server said, or instead of it. */
const OWN_WORDS =
  /^(?:Streamable HTTP error: |SSE error: )?(?:Error POSTing to endpoint(?: \(HTTP (\d+)\))?: |Non-200 status code \(\d+\))?/;

/**
 * What went wrong with a request over HTTP, as a clause: with the status and what the server said, without the words
 * of the SDK, whose error is the cause.
 */
function httpRefusal(cause: unknown): Error {
  if (cause instanceof z.core.$ZodError) return new Error(BROKEN_RESPONSE, { cause });
  if (!(cause instanceof Error)) return new Error(String(cause), { cause });
  const [ownWords, posted] = OWN_WORDS.exec(cause.message) ?? [''];
  const words = cause.message.slice(ownWords.length);
  const status = posted === undefined ? statusOf(cause) : Number(posted);
  if (status === undefined) return new Error(words, { cause });
  return new Error(`it answered HTTP ${status}${words === '' ? '' : `: ${words}`}`, { cause });
}

/** The SDK has negative ones, too, for what is no status. */
function statusOf(error: Error): number | undefined {
  return 'code' in error && typeof error.code === 'number' && error.code > 0 ? error.code : undefined;
}
