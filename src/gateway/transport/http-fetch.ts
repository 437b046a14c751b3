import { setTimeout as pause } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import { jsonValue } from '../../lib/json/json-value.ts';
import type { HttpServerConfig } from '../config/server-config.ts';
import { isLoopback, isOffLimits, urlProblem } from '../config/url-rules.ts';
import { bodyWatch } from './body-watch.ts';
import { PlainFetch } from './plain-fetch.ts';

/** Two requests that only listen are no closer together, in ms: a server may say "again, at once" for ever. */
const LISTEN_EVERY_MS = 1_000;

const MAX_REFUSAL_BYTES = 64 * 1024;

export type HttpFetchOptions = {
  readonly config: HttpServerConfig;
  readonly maxMessageBytes: number;
  /** Told why the server counts as lost, as a clause. */
  readonly onLost: (why: string) => void;
  /** Told that the stream that was to answer a request has ended; `why` when it was cut off. */
  readonly onAnswerEnd: (requestId: string | number, why: string | undefined) => void;
};

/**
 * The `fetch` the SDK's transports are given: it waits as long as it takes, connects only where it may, limits what a
 * message may take, and tells what the SDK keeps to itself: that a server cannot be reached any more.
 */
export class HttpFetch {
  readonly #options: HttpFetchOptions;
  readonly #plain: PlainFetch;
  #listenedAt = -Infinity;

  constructor(options: HttpFetchOptions) {
    this.#options = options;
    this.#plain = new PlainFetch((address) => addressProblem(address, options.config));
  }

  readonly fetch: FetchLike = async (url, init = {}) => {
    const problem = urlProblem(String(url), this.#options.config);
    if (problem !== undefined) throw new Error(`its URL ${problem}`);
    const isListening = (init.method ?? 'GET') === 'GET';
    if (isListening) await this.#takeTurn(init.signal ?? undefined);
    const response = await this.#reach(url, init);
    const headers = new Headers(init.headers);
    const isInSession =
      headers.has('mcp-session-id') || (this.#options.config.transport === 'sse' && !isListening);
    if (response.status === 404 && isInSession) this.#lostSession();
    if (!response.ok && headers.has('last-event-id'))
      this.#options.onLost(`it cannot resume an interrupted stream (HTTP ${response.status})`);
    if (response.body === null) return response;
    if (response.ok) return this.#watched(response, init, isListening);
    const refusal = capped(response);
    if (response.status !== 400 || !isInSession) return refusal;
    // Many answer like this, not with 404, when they were started again.
    const words = await refusal.text();
    if (/session/i.test(words)) this.#lostSession();
    return new Response(words, refusal);
  };

  close(): void {
    this.#plain.close();
  }

  #lostSession(): void {
    this.#options.onLost('it no longer knows our session');
  }

  async #takeTurn(signal: AbortSignal | undefined): Promise<void> {
    const waitMs = this.#listenedAt + LISTEN_EVERY_MS - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { ...(signal ? { signal } : {}), ref: false });
    this.#listenedAt = performance.now();
  }

  async #reach(url: string | URL, init: RequestInit): Promise<Response> {
    try {
      return await this.#plain.fetch(url, init);
    } catch (error) {
      if (!init.signal?.aborted) this.#options.onLost(`it cannot be reached (${reasonOf(error)})`);
      throw error;
    }
  }

  #watched(response: Response, init: RequestInit, isListening: boolean): Response {
    const { config, maxMessageBytes, onLost, onAnswerEnd } = this.#options;
    const requestId = isListening ? undefined : requestIdOf(init.body);
    const isStream = (response.headers.get('content-type') ?? '').includes('text/event-stream');
    const body = bodyWatch(response, {
      isStream,
      maxMessageBytes,
      onEnd: ({ why, canResume }) => {
        if (init.signal?.aborted) return;
        if (requestId !== undefined && isStream && (!canResume || why?.isOurs))
          onAnswerEnd(requestId, why?.text);
        if (isListening && why?.isOurs) onLost(why.text);
        // Here the stream is the session: without it nothing can be answered.
        else if (isListening && config.transport === 'sse') onLost(why?.text ?? 'it closed its stream');
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  }
}

/** A refusal, of whose words more than so many bytes are no help. */
function capped(response: Response): Response {
  const { status, statusText, headers } = response;
  const body = bodyWatch(response, {
    isStream: false,
    maxMessageBytes: MAX_REFUSAL_BYTES,
    onEnd: () => undefined,
  });
  return new Response(body, { status, statusText, headers });
}

/** What the name of a host may not lead to. */
function addressProblem(address: string, config: HttpServerConfig): string | undefined {
  if (isOffLimits(address)) return `its name resolves to ${address}, which is not allowed`;
  const isPlain = URL.parse(config.url)?.protocol === 'http:';
  if (isPlain && !config.allowInsecure && !isLoopback(address))
    return `its name resolves to ${address}, another machine, without https`;
  return undefined;
}

/** What of a message says that it is a request: others have no method, or no id. */
const requestSchema = z.object({ id: z.union([z.string(), z.number()]), method: z.string() });

/** The id of the request in a body that the SDK made; `undefined` for notifications and responses. */
function requestIdOf(body: RequestInit['body']): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  return requestSchema.safeParse(jsonValue(body)).data?.id;
}

/** A failed connection says little itself and much by its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return error.message || code || error.name;
}
