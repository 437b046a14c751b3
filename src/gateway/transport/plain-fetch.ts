import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

// An import would look at all that it has, which loads Node's own `fetch`, too: that takes longer than Node's start.
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** How long a connection is kept for the next request, in ms: less than any server does, which might close it just then. */
const IDLE_MS = 1_000;

/** Statuses whose responses have no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` that waits as long as it takes. Node's own gives up when a response or its next bytes take more than five
 * minutes, which tools may, and lets nobody say to which addresses it may connect. Follows no redirect.
 */
export class PlainFetch {
  // What fails is not sent again: a server may have done what it was asked for when its connection broke.
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: IDLE_MS }),
    'https:': new https.Agent({ keepAlive: true, timeout: IDLE_MS }),
  };
  readonly #lookup: LookupFunction;

  /** `problemOf` says why not to connect to an address; what it says is the error. */
  constructor(problemOf: (address: string) => string | undefined) {
    this.#lookup = checkedLookup(problemOf);
  }

  readonly fetch: FetchLike = async (url, init = {}) => {
    const target = new URL(url);
    const body = init.body ?? undefined;
    if (body !== undefined && typeof body !== 'string') throw new TypeError('only a text can be sent');
    const isSecure = target.protocol === 'https:';
    const options: RequestOptions = {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      agent: this.#agents[isSecure ? 'https:' : 'http:'],
      lookup: this.#lookup,
      ...(init.signal ? { signal: init.signal } : {}),
    };
    return responseOf(await answerTo((isSecure ? https : http).request(target, options), body));
  };

  /** Ends the connections that are kept for the next request. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

function answerTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (BODILESS.has(statusCode)) incoming.resume();
  const body = BODILESS.has(statusCode) ? null : webStream(incoming);
  return new Response(body, { status: statusCode, statusText: statusMessage, headers });
}

function webStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
}

/** The system's lookup, whose answers are all checked before any is used. */
function checkedLookup(problemOf: (address: string) => string | undefined): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      if (error || first === undefined) {
        callback(error ?? new Error(`${hostname} has no address`), '', 0);
        return;
      }
      const problem = addresses.map(({ address }) => problemOf(address)).find((each) => each !== undefined);
      if (problem !== undefined) callback(new Error(problem), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
