import { setTimeout as pause } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { jsonValue } from '../../lib/json/json-value.ts';
import type { HttpServerConfig } from '../config/server-config.ts';
import { isLoopback, isOffLimits, urlProblem } from '../config/url-rules.ts';
import { bodyWatch } from './body-watch.ts';
import { PlainFetch } from './plain-fetch.ts';
import type { RequestStreams } from './server-transport.ts';

/** Two requests that only listen are no closer together, in ms: a server may say "again, at once" for ever. */
const LISTEN_EVERY_MS = 1_000;

const MAX_REFUSAL_BYTES = 64 * 1024;

export type HttpFetchOptions = {
  readonly config: HttpServerConfig;
  readonly maxMessageBytes: number;
  /** Told why the server counts as lost, as a clause. */
  readonly onLost: (why: string) => void;
  /** Told that the stream that was to answer a request has ended; `why` when it was cut off. */
  readonly onAnswerEnd: (requestId: RequestId, why: string | undefined) => void;
};

/**
 * The `fetch` the SDK's transports are given: it waits as long as it takes, connects only where it may, limits what a
 * message may take, and tells what the SDK keeps to itself: that a server cannot be reached any more.
 */
export class HttpFetch implements RequestStreams {
  readonly #options: HttpFetchOptions;
  readonly #plain: PlainFetch;
  #listenedAt = -Infinity;
  /** Requests outside of any session, until they are answered. */
  readonly #alone = new Map<RequestId, StandsAlone>();

  constructor(options: HttpFetchOptions) {
    this.#options = options;
    this.#plain = new PlainFetch((address) => addressProblem(address, options.config));
  }

  readonly fetch: FetchLike = async (url, given = {}) => {
    const problem = urlProblem(String(url), this.#options.config);
    if (problem !== undefined) throw new Error(`its URL ${problem}`);
    const isListening = (given.method ?? 'GET') === 'GET';
    if (isListening) await this.#takeTurn();
    const requestId = isListening ? undefined : requestIdOf(given.body);
    const alone = requestId === undefined ? undefined : this.#alone.get(requestId);
    const init = alone === undefined ? given : initAlone(given, alone);
    const response = await this.#reach(url, init);
    if (alone) return this.#answerAlone(response, init, alone);
    const headers = new Headers(init.headers);
    const isInSession =
      headers.has('mcp-session-id') || (this.#options.config.transport === 'sse' && !isListening);
    if (response.status === 404 && isInSession) this.#lostSession();
    if (!response.ok && headers.has('last-event-id'))
      this.#options.onLost(`it cannot resume an interrupted stream (HTTP ${response.status})`);
    if (response.body === null) return response;
    if (response.ok) return this.#watched(response, init, { isListening, requestId });
    const refusal = capped(response);
    if (response.status !== 400 || !isInSession) return refusal;
    // Many answer like this, not with 404, when they were started again.
    const words = await refusal.text();
    if (/session/i.test(words)) this.#lostSession();
    return new Response(words, refusal);
  };

  standsAlone(id: RequestId, headers: Readonly<Record<string, string>>): void {
    this.#alone.set(id, { id, headers, abort: new AbortController() });
  }

  abandon(id: RequestId): void {
    this.#alone.get(id)?.abort.abort();
    this.forget(id);
  }

  /** It was answered. */
  forget(id: RequestId): void {
    this.#alone.delete(id);
  }

  close(): void {
    this.#plain.close();
  }

  #lostSession(): void {
    this.#options.onLost('it no longer knows our session');
  }

  async #takeTurn(): Promise<void> {
    const waitMs = this.#listenedAt + LISTEN_EVERY_MS - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { ref: false });
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

  /** An error is said with a status, too; nothing of a session is to be remembered. */
  async #answerAlone(response: Response, init: RequestInit, { id, abort }: StandsAlone): Promise<Response> {
    response.headers.delete('mcp-session-id');
    if (response.body === null) return response;
    const how = { isListening: false, requestId: id, abandoned: abort.signal };
    if (response.ok) return this.#watched(response, init, how);
    const refusal = capped(response);
    const words = await refusal.text();
    if (!errorSchema.safeParse(jsonValue(words)).success) return new Response(words, refusal);
    return Response.json(jsonValue(words));
  }

  #watched(response: Response, init: RequestInit, { isListening, requestId, abandoned }: Watched): Response {
    const { config, maxMessageBytes, onLost, onAnswerEnd } = this.#options;
    const isStream = (response.headers.get('content-type') ?? '').includes('text/event-stream');
    const body = bodyWatch(response, {
      isStream,
      maxMessageBytes,
      ...(abandoned ? { abandoned } : {}),
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

/** A request outside of any session. */
type StandsAlone = {
  readonly id: RequestId;
  readonly headers: Readonly<Record<string, string>>;
  readonly abort: AbortController;
};

/** What a response answers: a request that listens, or the one of this id. */
type Watched = {
  readonly isListening: boolean;
  readonly requestId: RequestId | undefined;
  /** Aborts when nobody wants it any more. */
  readonly abandoned?: AbortSignal;
};

function initAlone(init: RequestInit, { headers: own, abort }: StandsAlone): RequestInit {
  const headers = new Headers(init.headers);
  headers.delete('mcp-session-id');
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return { ...init, headers, signal: AbortSignal.any([abort.signal, ...(init.signal ? [init.signal] : [])]) };
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

/** A refusal in the words of the protocol. */
const errorSchema = z.object({
  id: z.union([z.string(), z.number()]),
  error: z.object({ code: z.number(), message: z.string() }),
});

/** The id of the request in a body that the SDK made; `undefined` for notifications and responses. */
function requestIdOf(body: RequestInit['body']): RequestId | undefined {
  if (typeof body !== 'string') return undefined;
  return requestSchema.safeParse(jsonValue(body)).data?.id;
}

/** A failed connection says little itself and much by its code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return error.message || code || error.name;
}
