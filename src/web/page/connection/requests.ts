import type { ErrorBody } from '../../api/error-body.ts';
import { REPEAT_HEADER } from '../../api/idempotency-key.ts';
import { ApiError, noReply, unreached } from './api-error.ts';
import { within } from './within.ts';

/** After so long an answer is given up, in ms: that its log is away the server says after 20 s, and one request more. */
const LONGEST_MS = 25_000;

/** What the session is told of requests, beside what is answered to them. */
export type RequestHooks = {
  /** The key that it was asked with is not taken: the code of the refusal. */
  readonly onLocked: (code: string, token: string | undefined) => void;
  /** More was asked with this key than is answered: it is asked again at this time, in ms since the epoch. */
  readonly onBusy: (until: number) => void;
};

/** Requests to Clifford's API, by the path behind `api/`. Each throws an `ApiError`, or what it was aborted with. */
export class Requests {
  readonly #token: () => string | undefined;
  readonly #hooks: RequestHooks;

  constructor(token: () => string | undefined, hooks: RequestHooks) {
    this.#token = token;
    this.#hooks = hooks;
  }

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#ask(path, {}, signal);
  }

  post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    // Where the connection is lost a browser sends it again by itself.
    const headers = { 'content-type': 'application/json', [REPEAT_HEADER]: newKey() };
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body), headers }, signal);
  }

  /** Opens a stream: its reply has no end that is waited for. */
  stream(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    return this.#untilTaken(() => this.#fetch(path, { signal, headers }), signal);
  }

  /** What is given up has its connection closed: a browser has six to a server. */
  #ask<T>(path: string, init: Omit<Asked, 'signal'>, asking: AbortSignal | undefined): Promise<T> {
    const once = () =>
      within(LONGEST_MS, noReply, asking, async (signal) =>
        bodyOf<T>(await this.#fetch(path, { ...init, signal }), signal),
      );
    return this.#untilTaken(once, asking);
  }

  /** Asks again where more was asked than is answered. */
  async #untilTaken<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.pauseMs === undefined) throw error;
      this.#hooks.onBusy(Date.now() + error.pauseMs);
      await passed(error.pauseMs, signal);
      return this.#untilTaken(ask, signal);
    }
  }

  async #fetch(path: string, { headers: others, signal, ...init }: Asked): Promise<Response> {
    const token = this.#token();
    const headers = { ...others, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    let response;
    try {
      response = await fetch(`./api/${path}`, { cache: 'no-store', ...init, headers, signal });
    } catch {
      signal.throwIfAborted();
      throw unreached();
    }
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    signal.throwIfAborted();
    if (refusal.status === 401) this.#hooks.onLocked(refusal.code, token);
    throw refusal;
  }
}

/** No other request has it. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** What is asked, beside where. */
type Asked = {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** What was answered. A part of it, where the connection was cut, is no answer, nor is what something in between has said. */
async function bodyOf<T>(response: Response, signal: AbortSignal): Promise<T> {
  try {
    const body: unknown = await response.json();
    if (body instanceof Object) return body as T;
  } catch {
    signal.throwIfAborted();
  }
  throw unreached();
}

/** Ends after so long. @throws what it was aborted with. */
async function passed(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const done = () => resolve();
    signal?.addEventListener('abort', done, { once: true });
    setTimeout(() => {
      signal?.removeEventListener('abort', done);
      resolve();
    }, ms);
  });
  signal?.throwIfAborted();
}

/** What was refused, from its body; something in between may have answered in place of the server. */
async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  // Not all pages with this key come back at the same instant.
  const pauseMs = status === 429 && seconds >= 0 ? (seconds + Math.random()) * 1_000 : undefined;
  try {
    const body = (await response.json()) as Partial<ErrorBody>;
    if (body.error?.message && body.error.fix !== undefined)
      return new ApiError(status, body as ErrorBody, pauseMs);
  } catch {
    // It is no JSON.
  }
  const error = {
    code: `HTTP_${status}`,
    message: `The server answered with ${status}`,
    fix: 'Try again in a moment',
  };
  return new ApiError(status, { error }, pauseMs);
}
