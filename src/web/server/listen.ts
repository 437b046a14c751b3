import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { getRequestListener } from '@hono/node-server';
import { CliffordError } from '../../errors.ts';
import { readPlainFile } from '../../lib/files/plain-file.ts';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { messageOf } from '../../lib/message-of.ts';
import { clip } from '../../lib/text/clip.ts';
import { ownHosts, type OwnHosts } from './guards/own-hosts.ts';
import { limitConnections } from './guards/limit-connections.ts';
import { apiHeaders } from './guards/security-headers.ts';
import { printedWord } from '../../lib/text/shell-word.ts';

/** How long a request may take to arrive, in ms: its head, and all of it. */
const HEAD_MS = 5_000;
const REQUEST_MS = 15_000;
/** How long a connection stays without a request, in ms: on the next one it would have to be found out again whose it is. */
const IDLE_MS = 60_000;
/** So many connections are open at most, and from one address: others get in. */
const MOST_CONNECTIONS = 2_000;
const MOST_OF_ADDRESS = 500;
/** So much of a host that is none of ours is repeated. */
const MOST_HOST = 80;

/** What answers a request. */
type Answer = Parameters<typeof getRequestListener>[0];

/** Where a server listens, and by what it may be called. */
export type ListenOptions = {
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** 0: any that is free. */
  readonly port: number;
  /** What has it take any that is free, as it is typed. Default: `clifford serve --port 0`. */
  readonly anyPort?: string | undefined;
  /** By which other names and addresses it may be called, with or without a port, or as an origin. */
  readonly names?: readonly string[] | undefined;
  /** Files in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Told of bugs, and once of each host by which it is called in vain. Never has a token in it. */
  readonly report: (problem: unknown) => void;
  /** For tests: how long a request may take to arrive, in ms. */
  readonly requestMs?: number | undefined;
};

/** By what a server may be called, and what it is to be told. */
type Called = {
  readonly hosts: OwnHosts;
  readonly url: string;
  /** That a request of a connection had a valid token. */
  readonly noteKnown: (connection: Socket) => void;
};

/** A server that listens. */
type Listening = {
  /** Without a token: `http://127.0.0.1:4400/`. */
  readonly url: string;
  readonly port: number;
  /** Ends all connections. What is still being answered is let finish, but not for long. */
  readonly close: () => Promise<void>;
};

/**
 * Listens, and has answered what is sent to one of its own hosts: nothing else is looked at.
 *
 * @param answered - Makes what answers, once it is known by what it may be called.
 * @throws {CliffordError} `PORT_TAKEN`, `HOST_UNUSABLE`, `CERTIFICATE_UNREADABLE`.
 */
export async function listen(
  { host = '127.0.0.1', port: wanted, anyPort, names, tls, report, requestMs }: ListenOptions,
  answered: (of: Called) => Answer,
): Promise<Listening> {
  const headMs = Math.min(requestMs ?? HEAD_MS, HEAD_MS);
  const server = createHttpServer({ tls, headMs });
  server.requestTimeout = requestMs ?? REQUEST_MS;
  server.headersTimeout = headMs;
  server.keepAliveTimeout = IDLE_MS;
  server.maxConnections = MOST_CONNECTIONS;
  const noteKnown = limitConnections(server, MOST_OF_ADDRESS);

  const port = await begin(server, { host, port: wanted, anyPort });
  const hosts = ownHosts(namesOf(host, names), { port, isTls: tls !== undefined });
  const url = `${hosts.first}/`;
  const answer = getRequestListener(answered({ hosts, url, noteKnown }), { overrideGlobalObjects: false });
  const told = new Set<string>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const called = request.headers.host;
    const isOne = request.headersDistinct['host']?.length === 1;
    if (isOne && hosts.has(called)) return void answer(request, response);
    const said = clip(called ?? '', MOST_HOST);
    if (said !== '' && told.size < 10 && !told.has(said)) {
      told.add(said);
      report(foreignHost(said, hosts.list));
    }
    return refuseHost(response);
  });
  return { url, port, close: () => end(server) };
}

async function end(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 500);
  await closed;
  clearTimeout(timer);
}

/** A certificate, or a key. */
const pem = { maxBytes: 1_048_576 };

function createHttpServer({ tls, headMs }: Pick<ListenOptions, 'tls'> & { readonly headMs: number }): Server {
  // How often is looked for requests that are too slow.
  const options = { connectionsCheckingInterval: 1_000 };
  if (!tls) return createServer(options);
  // Who says nothing has sent no request that could be too slow.
  const handshakeTimeout = headMs;
  try {
    return createTlsServer({ ...options, handshakeTimeout, cert: readPem(tls.cert), key: readPem(tls.key) });
  } catch (cause) {
    if (cause instanceof CliffordError) throw cause;
    throw new CliffordError(`Cannot use ${tls.cert} and ${tls.key} for TLS: ${messageOf(cause)}`, {
      code: 'CERTIFICATE_UNREADABLE',
      fix: 'Give a certificate and its key, both in PEM',
      cause,
    });
  }
}

function readPem(file: string): Buffer {
  try {
    return readPlainFile(file, pem);
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new CliffordError(`Cannot use ${file} for TLS: there is no such file`, {
      code: 'CERTIFICATE_UNREADABLE',
      fix: 'Give a certificate and its key, both in PEM',
      cause,
    });
  }
}

type Wanted = { readonly host: string } & Pick<ListenOptions, 'port' | 'anyPort'>;

async function begin(server: Server, { host, port, anyPort }: Wanted): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw unusable(codeOf(cause), { host, port, anyPort }, cause);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

const anywhere = ['0.0.0.0', '::'];

/** What the server may be called by; first what its address has. */
function namesOf(host: string, given: readonly string[] = []): string[] {
  const here = ['127.0.0.1', 'localhost', '::1'];
  if (here.includes(host)) return [host, ...here, ...given];
  if (!anywhere.includes(host)) return [...given, host];
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = addresses
    .filter(({ internal }) => !internal)
    .map(({ address }) => address.replace(/%.*$/, ''));
  return [...given, ...outside, ...here];
}

function refuseHost(response: ServerResponse): void {
  const error = {
    code: 'HOST_FOREIGN',
    message: 'Cannot answer to this host: it is none by which this server may be called',
    fix: 'Open the address that clifford serve has printed, or name the host: clifford serve --name <host>',
  };
  response.writeHead(421, { ...apiHeaders, 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ error }));
}

function foreignHost(called: string, list: readonly string[]): CliffordError {
  return new CliffordError(
    `A request for the host ${JSON.stringify(called)} was refused: it is none of ${list.join(', ')}`,
    {
      code: 'HOST_FOREIGN',
      fix: `If that is this server: clifford serve --name ${printedWord(called)}`,
    },
  );
}

function unusable(
  code: string | undefined,
  { host, port, anyPort = 'clifford serve --port 0' }: Wanted,
  cause: unknown,
): CliffordError {
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const why = code === 'EACCES' ? 'you may not' : 'it is in use';
    return new CliffordError(`Cannot listen at ${host}, port ${port}: ${why}`, {
      code: 'PORT_TAKEN',
      fix: `Choose another one, or 0 for any that is free: ${anyPort}`,
      cause,
    });
  }
  return new CliffordError(`Cannot listen at ${host}: ${messageOf(cause)}`, {
    code: 'HOST_UNUSABLE',
    fix: 'Give an address of this machine, e.g. --host 0.0.0.0 for all of them',
    cause,
  });
}
