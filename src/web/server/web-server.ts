import { realpathSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { getRequestListener } from '@hono/node-server';
import { CliffordError } from '../../errors.ts';
import { readPlainFile } from '../../lib/files/plain-file.ts';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { messageOf } from '../../lib/message-of.ts';
import { SprintRows } from '../../views/sprints/sprint-rows.ts';
import type { Processes } from '../../views/sprints/sprint-status.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Env } from '../../workflow/project/who-calls.ts';
import { WatchedSprints } from '../../workflow/sprint/watched-sprints.ts';
import { PastOutput } from '../../workflow/transcripts/past-output.ts';
import { clip } from '../../lib/text/clip.ts';
import { createApp } from './app.ts';
import { CallExtras, type FindExtras } from './call-extras.ts';
import { ownHosts, type OwnHosts } from './guards/own-hosts.ts';
import { limitConnections } from './guards/limit-connections.ts';
import { apiHeaders } from './guards/security-headers.ts';
import { Histories } from './histories.ts';
import { LiveHub } from './live/live-hub.ts';
import { readPage } from './page-files.ts';
import type { Serving } from './serving.ts';
import { TaskTitles } from './task-titles.ts';
import { Authenticator } from './tokens/authenticator.ts';
import { newToken, readTokens } from './tokens/named-tokens.ts';

/** How long a request may take to arrive, in ms: its head, and all of it. */
const HEAD_MS = 5_000;
const REQUEST_MS = 15_000;
/** How long a connection stays without a request, in ms. */
const IDLE_MS = 10_000;
/** So many connections are open at most, and from one address: others get in. */
const MOST_CONNECTIONS = 2_000;
const MOST_OF_ADDRESS = 500;
/** So much of a host that is none of ours is repeated. */
const MOST_HOST = 80;

/** How to serve a project. */
export type WebServerOptions = {
  /** Recorded through as `/clifford/web`; it is closed by whoever has opened it. */
  readonly project: Project;
  readonly env: Env;
  readonly processes: Processes;
  /** Of the program. */
  readonly version: string;
  /** Who answers with the token of this start, as the log names them. */
  readonly by: string;
  /** The folder of the built page. */
  readonly pageFolder: string;
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** 0: any that is free. */
  readonly port: number;
  /** By which other names and addresses it may be called, with or without a port. */
  readonly names?: readonly string[] | undefined;
  /** Files in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Takes a yes that stands from now on from other machines, too. */
  readonly allowsAlways?: boolean | undefined;
  /** Told of bugs, and once of each host by which it is called in vain. Never has a token in it. */
  readonly report: (problem: unknown) => void;
  readonly findExtras: FindExtras;
  /** For tests: how long a request may take to arrive, and how long a reader may take nothing, in ms. */
  readonly requestMs?: number | undefined;
  readonly patienceMs?: number | undefined;
};

/** A server that is listening. */
export type WebServer = {
  /** Without the token: `http://127.0.0.1:4400/`. */
  readonly url: string;
  readonly port: number;
  /** Of this start: it may decide. */
  readonly token: string;
  /** How many streams are open. */
  readonly streams: () => number;
  /** Rejects when it cannot go on: the log is another one. */
  readonly failed: Promise<never>;
  /** Ends all streams and connections. Safe to call twice. */
  readonly close: () => Promise<void>;
};

/**
 * Serves the page and the API of a project, until it is closed.
 *
 * @throws {CliffordError} `PORT_TAKEN`, `HOST_UNUSABLE`, `CERTIFICATE_UNREADABLE`.
 */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const { project: opened, env, processes, version, host = '127.0.0.1', tls, report } = options;
  const project = opened.as('/clifford/web');
  const token = newToken();
  const root = realpathSync(project.root);
  let trouble: string | undefined;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);

  const sprints = await WatchedSprints.open(project);
  const serving: Serving = {
    project,
    env,
    version,
    processes,
    sprints,
    rows: new SprintRows({ project, sprints, processes }),
    titles: new TaskTitles(project),
    output: new PastOutput(project.dir),
    histories: new Histories(project),
    extras: new CallExtras(options.findExtras),
    allowsAlways: options.allowsAlways ?? false,
    trouble: () => trouble,
  };
  // What cannot be read is said in the state, and again when it can.
  const look = () =>
    project.refresh().then(
      () => (trouble = undefined),
      (error: unknown) => (trouble = messageOf(error)),
    );
  const unsubscribe = project.subscribe((events) => {
    if (events.length === 0) void look();
    else trouble = undefined;
  });
  const authenticator = new Authenticator({
    own: { token, name: options.by },
    named: () => readTokens(env, root),
  });
  const hub = new LiveHub({
    serving,
    ended: (identities) => authenticator.ended(identities),
    fail,
    patienceMs: options.patienceMs,
  });

  let hosts: OwnHosts | undefined;
  let listener: RequestListener | undefined;
  const told = new Set<string>();
  const headMs = Math.min(options.requestMs ?? HEAD_MS, HEAD_MS);
  const server = createHttpServer({ tls, headMs }, (request, response) => {
    const called = request.headers.host;
    if (hosts?.has(called) !== true || listener === undefined) {
      const said = clip(called ?? '', MOST_HOST);
      if (said !== '' && told.size < 10 && !told.has(said)) {
        told.add(said);
        report(foreignHost(said, hosts?.list ?? []));
      }
      return refuseHost(response);
    }
    listener(request, response);
  });
  server.requestTimeout = options.requestMs ?? REQUEST_MS;
  server.headersTimeout = headMs;
  server.keepAliveTimeout = IDLE_MS;
  server.maxConnections = MOST_CONNECTIONS;
  limitConnections(server, MOST_OF_ADDRESS);

  const close = async () => {
    unsubscribe();
    hub.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // What is still being answered is let finish, but not for long.
    const timer = setTimeout(() => server.closeAllConnections(), 500);
    if (server.listening) await closed;
    clearTimeout(timer);
    await serving.histories.close();
  };

  try {
    const port = await listen(server, { host, port: options.port });
    hosts = ownHosts(namesOf(host, options.names), { port, isTls: tls !== undefined });
    let page: ReturnType<typeof readPage>;
    const app = createApp({
      serving,
      hub,
      authenticator,
      hosts,
      isTls: tls !== undefined,
      page: () => (page ??= readPage(options.pageFolder)),
      report,
      fail,
    });
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    listener = (request, response) => void answer(request, response);
    const [first = `${host}:${port}`] = hosts.list;
    const url = `${tls ? 'https' : 'http'}://${first}/`;
    return { url, port, token, streams: () => hub.size, failed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A certificate, or a key. */
const pem = { maxBytes: 1_048_576 };

function createHttpServer(
  { tls, headMs }: Pick<WebServerOptions, 'tls'> & { readonly headMs: number },
  listener: RequestListener,
): Server {
  // How often is looked for requests that are too slow.
  const options = { connectionsCheckingInterval: 1_000 };
  if (!tls) return createServer(options, listener);
  // Who says nothing has sent no request that could be too slow.
  const handshakeTimeout = headMs;
  try {
    return createTlsServer(
      { ...options, handshakeTimeout, cert: readPem(tls.cert), key: readPem(tls.key) },
      listener,
    );
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

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw unusable(codeOf(cause), { host, port }, cause);
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
      fix: `If that is this server: clifford serve --name ${JSON.stringify(called)}`,
    },
  );
}

function unusable(
  code: string | undefined,
  { host, port }: { host: string; port: number },
  cause: unknown,
): CliffordError {
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const why = code === 'EACCES' ? 'you may not' : 'another program does';
    return new CliffordError(`Cannot listen at ${host}, port ${port}: ${why}`, {
      code: 'PORT_TAKEN',
      fix: 'Choose another one, or any that is free with: clifford serve --port 0',
      cause,
    });
  }
  return new CliffordError(`Cannot listen at ${host}: ${messageOf(cause)}`, {
    code: 'HOST_UNUSABLE',
    fix: 'Give an address of this machine, e.g. --host 0.0.0.0 for all of them',
    cause,
  });
}
