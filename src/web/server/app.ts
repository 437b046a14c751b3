import { randomBytes } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import type { Endpoint } from '../api/endpoint.ts';
import { isDeeper } from '../../lib/json/json-value.ts';
import { endpoints, liveQuerySchema } from '../api/endpoints.ts';
import { openApi } from '../api/open-api.ts';
import { isOwnAddress, type Caller } from './caller.ts';
import { RequestLimits } from './guards/limit-requests.ts';
import type { OwnHosts } from './guards/own-hosts.ts';
import { apiHeaders, fileHeaders, pageHeaders } from './guards/security-headers.ts';
import { actHandlers } from './handlers/act.ts';
import { callsHandlers } from './handlers/calls.ts';
import { changesHandlers } from './handlers/changes.ts';
import { decideAllHandlers } from './handlers/decide-all.ts';
import { decideHandlers } from './handlers/decide.ts';
import type { Handlers } from './handlers/handlers.ts';
import { lookBackHandlers } from './handlers/look-back.ts';
import { lookHandlers } from './handlers/look.ts';
import { lookingHandlers } from './handlers/looking.ts';
import { pushHandlers } from './handlers/push.ts';
import { taskHandlers } from './handlers/task.ts';
import type { LiveHub } from './live/live-hub.ts';
import type { PageFiles } from './page-files.ts';
import { Refusal, refusalOf, type RefusalStatus } from './refusal.ts';
import type { Serving } from './serving.ts';
import type { Authenticator } from './tokens/authenticator.ts';

/** A longer body is refused, in bytes: the longest answer fits, with every character of it escaped. */
const MOST_BODY_BYTES = 1_048_576;
/** So deep may lists and objects of a body be in each other: what looks at them calls itself for each. */
const MOST_DEPTH = 200;

type AppDeps = {
  readonly serving: Serving;
  readonly hub: LiveHub;
  readonly authenticator: Authenticator;
  readonly hosts: OwnHosts;
  readonly isTls: boolean;
  /** `undefined`: it was not built. */
  readonly page: () => PageFiles | undefined;
  /** Told of what is refused and of bugs. It never has a token in it. */
  readonly report: (problem: unknown) => void;
  /** Told of what ends the server: the log is another one. */
  readonly fail: (error: unknown) => void;
};

type Env = { Bindings: HttpBindings; Variables: { caller: Caller } };
type Ctx = Context<Env>;

/** Says what every request gets: who sends it is known before anything is looked at. */
export function createApp(deps: AppDeps): Hono<Env> {
  const { serving, hub, authenticator, hosts, report } = deps;
  const limits = new RequestLimits();
  const app = new Hono<Env>();
  const handlers: Handlers = {
    ...lookHandlers(serving),
    ...lookBackHandlers(serving),
    ...callsHandlers(serving),
    ...changesHandlers(serving),
    ...taskHandlers(serving),
    ...decideHandlers(serving),
    ...decideAllHandlers(serving),
    ...actHandlers(serving),
    ...lookingHandlers(serving),
    ...pushHandlers(serving),
  };

  app.onError((error) => {
    const refusal = refusalOf(error);
    if (refusal?.body.error.code === 'LOG_REPLACED') deps.fail(error);
    if (!refusal) report(error);
    return refuse(refusal ?? broken());
  });
  app.notFound((c) =>
    refuse(
      new Refusal(404, {
        code: 'NOT_FOUND',
        message: `Cannot ${c.req.method} this: there is no such address`,
        fix: 'See what there is at /api/openapi.json',
      }),
    ),
  );

  app.use('/api/*', async (c, next) => {
    const host = c.req.header('host') ?? '';
    if (!hosts.isOwnOrigin(c.req.header('origin'), host) || isForeignFetch(c)) throw foreignOrigin();
    c.set('caller', await callerOf(c, deps, limits));
    await next();
    return undefined;
  });
  app.post(
    '/api/*',
    async (c, next) => {
      if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) throw notJson();
      await next();
    },
    bodyLimit({ maxSize: MOST_BODY_BYTES, onError: () => refuse(tooLong()) }),
  );

  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const handle = handlers[name as keyof Handlers] as (asked: unknown, caller: Caller) => unknown;
    app.on(endpoint.method, path, async (c) => {
      const caller = c.get('caller');
      requireAccess(endpoint, caller);
      const asked = await readRequest(c, endpoint);
      return Response.json(await handle(asked, caller), { headers: apiHeaders });
    });
  }
  app.get('/api/openapi.json', () => Response.json(openApi(serving.version), { headers: apiHeaders }));
  app.get('/api/events', (c) => {
    const follows = parse(liveQuerySchema, c.req.query(), 'query');
    hub.open(c.env.outgoing, {
      caller: c.get('caller'),
      follows,
      lastId: c.req.header('last-event-id'),
      headers: apiHeaders,
    });
    return RESPONSE_ALREADY_SENT;
  });

  app.get('*', (c) => sendPage(c, deps.page()));
  return app;

  async function callerOf(c: Ctx, { isTls }: AppDeps, requests: RequestLimits): Promise<Caller> {
    const { socket } = c.env.incoming;
    const identified = await authenticator.identify(c.req.header('authorization'));
    if (identified.is === 'known') {
      requests.noteValid(identified.identity);
      const isHere = isOwnAddress(socket.remoteAddress);
      return { ...identified.identity, socket, isHere, isPrivate: isHere || isTls };
    }
    requests.noteWrong(socket.remoteAddress ?? '');
    throw identified.is === 'expired' ? tokenExpired(identified.name) : noToken(identified.is);
  }
}

/** Of what a browser says itself: a page of somebody else's sends it. */
function isForeignFetch(c: Ctx): boolean {
  const site = c.req.header('sec-fetch-site');
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function requireAccess({ needs }: Endpoint, { may, name }: Caller): void {
  if (needs === 'read' || may === 'decide') return;
  throw new Refusal(403, {
    code: 'READ_ONLY',
    message: `Cannot decide with the token ${name}: it may only read`,
    fix: 'Use the address that clifford serve has printed, or make one that may decide: clifford serve token add',
  });
}

async function readRequest(c: Ctx, { params, query, body }: Endpoint): Promise<unknown> {
  return {
    params: params ? parse(params, c.req.param(), 'address') : {},
    query: query ? parse(query, c.req.query(), 'query') : {},
    body: body ? parse(body, await readJson(c), 'body') : {},
  };
}

async function readJson(c: Ctx): Promise<unknown> {
  const text = await bodyOf(c);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid('body', 'it is no JSON');
  }
  if (isDeeper(json, MOST_DEPTH)) throw invalid('body', `it is nested more than ${MOST_DEPTH} deep`);
  return json;
}

async function bodyOf(c: Ctx): Promise<string> {
  try {
    return await c.req.text();
  } catch (error) {
    // Whoever has hung up hears nothing of it.
    if (c.env.incoming.destroyed || c.env.incoming.errored) throw invalid('body', 'it ended before its end');
    throw error;
  }
}

function parse<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(where, `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'it is none'}`);
}

function sendPage(c: Ctx, page: PageFiles | undefined): Response {
  const { path } = c.req;
  const file = page?.file(path);
  if (file) {
    return new Response(file.bytes, {
      headers: { ...fileHeaders(file.isImmutable), 'content-type': file.type },
    });
  }
  if (path !== '/') return c.notFound() as Response;
  const nonce = randomBytes(16).toString('base64url');
  const headers = { ...pageHeaders(nonce), 'content-type': 'text/html; charset=utf-8' };
  if (page) return new Response(page.index(nonce), { headers });
  return new Response(notBuilt, { status: 503, headers });
}

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Clifford</title>
<p>The page of Clifford was not built. The API is there: see <code>/api/openapi.json</code>.
In the repository: <code>npm run build</code></p></html>
`;

function refuse({ status, body, retryAfterS }: Refusal): Response {
  const headers = {
    ...apiHeaders,
    ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    // What is left of a body is not waited for, and who is one too many keeps no connection from others.
    ...(status === 413 || status === 429 || status === 503 ? { connection: 'close' } : {}),
  };
  return Response.json(body, { status, headers });
}

function refusal(status: RefusalStatus, code: string, message: string, fix: string): Refusal {
  return new Refusal(status, { code, message, fix });
}

function invalid(where: string, why: string): Refusal {
  return refusal(
    400,
    'INPUT_INVALID',
    `Cannot take the ${where}: ${why}`,
    'See the schema at /api/openapi.json',
  );
}

function foreignOrigin(): Refusal {
  return refusal(
    403,
    'ORIGIN_FOREIGN',
    'Cannot take a request of a page of another origin',
    'Open the address that clifford serve has printed',
  );
}

function notJson(): Refusal {
  return refusal(
    415,
    'NOT_JSON',
    'Cannot take a body that is not JSON',
    'Send Content-Type: application/json',
  );
}

function tooLong(): Refusal {
  const most = `${MOST_BODY_BYTES} bytes`;
  return refusal(413, 'BODY_TOO_LONG', `Cannot take a body of more than ${most}`, 'Send less');
}

function noToken(is: 'missing' | 'unknown'): Refusal {
  const why = is === 'missing' ? 'it has no token' : 'its token is none of this server, or has been revoked';
  return refusal(
    401,
    'TOKEN_NEEDED',
    `Cannot answer this request: ${why}`,
    'Open the address that clifford serve has printed: the token of another start is not valid any more',
  );
}

function tokenExpired(name: string): Refusal {
  return refusal(
    401,
    'TOKEN_EXPIRED',
    `Cannot answer this request: the time of the token ${name} is over`,
    `Make another one: clifford serve token revoke ${JSON.stringify(name)}, then clifford serve token add`,
  );
}

function broken(): Refusal {
  return refusal(
    500,
    'INTERNAL',
    'Cannot answer: this is a bug in Clifford',
    'See what clifford serve has printed',
  );
}
