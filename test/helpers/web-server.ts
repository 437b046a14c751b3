import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startWebServer, type WebServer, type WebServerOptions } from '../../src/web/server/web-server.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { projectWithSprint } from './temp-project.ts';

/** What a server answered. */
export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text, where it is JSON. */
  readonly json: () => Record<string, unknown>;
};

/** What a request has beside its path. */
export type Sent = Omit<RequestOptions, 'path'> & {
  /** `null`: none. Default: that of the start. */
  readonly token?: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Buffer;
};

/** A server of a project with the sprint `demo`, and what it was told to report. */
export type Served = {
  readonly root: string;
  readonly project: Project;
  readonly server: WebServer;
  /** The variables of the server: its state folder is the test's own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly problems: string[];
  /** Sends a request; with a body it is `POST`. */
  readonly ask: (path: string, sent?: Sent) => Promise<Reply>;
};

/** Serves a project of its own until the test is finished. */
export async function served(options: Partial<WebServerOptions> = {}): Promise<Served> {
  const { root, project } = await projectWithSprint();
  const home = await realpath(await mkdtemp(join(tmpdir(), 'clifford-test-home-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { HOME: home, XDG_STATE_HOME: home };
  return { root, ...(await serveProject(project, { env, ...options })) };
}

/** Serves a project that is open. */
export async function serveProject(
  project: Project,
  options: Partial<WebServerOptions> & Pick<WebServerOptions, 'env'>,
): Promise<Omit<Served, 'root'>> {
  const problems: string[] = [];
  const server = await startWebServer({
    project,
    processes: { hasRunner: () => false, isAlive: () => true },
    version: '0.0.0',
    by: 'ann',
    pageFolder: join(project.root, 'page'),
    port: 0,
    findExtras: { offersFor: async () => new Map(), partsOf: async () => new Map() },
    report: (problem) => problems.push(String(problem)),
    ...options,
  });
  onTestFinished(() => server.close());
  const ask = (path: string, sent: Sent = {}) => askServer(server, path, sent);
  return { project, server, env: options.env, problems, ask };
}

/** Sends a request to a server, by default with the token of its start; with a body it is `POST`. */
export function askServer(
  { port, token: own }: Pick<WebServer, 'port' | 'token'>,
  path: string,
  { token = own, body, raw, headers = {}, ...rest }: Sent,
): Promise<Reply> {
  const bytes = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const sending = request({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    method: bytes === undefined ? 'GET' : 'POST',
    ...rest,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
      // What comes in pieces says no length.
      ...(bytes === undefined || 'transfer-encoding' in headers
        ? {}
        : { 'content-length': Buffer.byteLength(bytes) }),
      ...(headers as object),
    },
  });
  sending.on('error', reject);
  sending.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const json = () => JSON.parse(text) as Record<string, unknown>;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
    });
  });
  sending.end(bytes);
  return promise;
}

/** The code of a refusal. */
export function codeOf(reply: Reply): unknown {
  return (reply.json()['error'] as { code?: unknown } | undefined)?.code;
}
