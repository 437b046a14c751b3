import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { CliffordError } from '../errors.ts';
import { messageOf } from '../lib/message-of.ts';
import { codeOf } from '../lib/system-error.ts';
import type { Metric } from './metric.ts';
import { METRICS_TYPE, metricsText } from './metrics-text.ts';

/** Where metrics are served. `port` 0: any that is free. */
export type MetricsPlace = { readonly host: string; readonly port: number };

/** What is served there. */
export type Measured = {
  readonly metrics: () => Promise<readonly Metric[]>;
  /** Why it is not well; `undefined`: it is. */
  readonly trouble: () => Promise<string | undefined>;
};

/** A server that is listening. */
export type MetricsServer = {
  /** `http://127.0.0.1:9464`. */
  readonly url: string;
  /** Safe to call twice. */
  readonly close: () => Promise<void>;
};

/** How long a request may take to arrive, in ms, and how many connections are open at most. */
const REQUEST_MS = 5_000;
const MOST_CONNECTIONS = 50;

/**
 * Serves `/metrics` as Prometheus reads it, and `/healthz`: 200, or 503 and why.
 *
 * @throws {CliffordError} `METRICS_UNSERVED`.
 */
export async function startMetricsServer(
  { host, port }: MetricsPlace,
  measured: Measured,
): Promise<MetricsServer> {
  const server = createServer(
    { requestTimeout: REQUEST_MS, keepAliveTimeout: REQUEST_MS },
    (request, response) => {
      answer(request, response, measured).catch((error: unknown) =>
        send(response, 500, { text: `${messageOf(error)}\n` }),
      );
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw unserved({ host, port }, cause);
  }
  // Nobody waits for it: what is measured keeps the process.
  server.unref();
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  { metrics, trouble }: Measured,
): Promise<void> {
  const [path] = url.split('?');
  if (path !== '/metrics' && path !== '/healthz')
    return send(response, 404, { text: 'Not found: there are /metrics and /healthz\n' });
  if (method !== 'GET' && method !== 'HEAD') return send(response, 405, { text: 'Only GET\n' });
  if (path === '/metrics')
    return send(response, 200, { text: metricsText(await metrics()), type: METRICS_TYPE });
  const problem = await trouble();
  return send(response, problem === undefined ? 200 : 503, { text: `${problem ?? 'ok'}\n` });
}

function send(
  response: ServerResponse,
  status: number,
  { text, type = 'text/plain; charset=utf-8' }: { readonly text: string; readonly type?: string },
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  // Of the answer to HEAD the server leaves out the text.
  response.end(text);
}

function unserved({ host, port }: MetricsPlace, cause: unknown): CliffordError {
  const code = codeOf(cause);
  const why = code === 'EADDRINUSE' ? 'it is in use' : code === 'EACCES' ? 'you may not' : messageOf(cause);
  return new CliffordError(`Cannot serve metrics at ${host}, port ${port}: ${why}`, {
    code: 'METRICS_UNSERVED',
    fix: 'Choose another port, or any that is free with --metrics 0',
    cause,
  });
}
