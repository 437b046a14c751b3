import { Hono, type Context } from 'hono';
import { repeatsAlike, type Endpoint } from '../api/endpoint.ts';
import type { Caller } from './callers/caller.ts';
import type { AppEnv, Gate } from './guards/gate.ts';
import { SameReply } from './guards/same-reply.ts';
import { apiHeaders } from './guards/security-headers.ts';
import { readRequest } from './read-request.ts';
import { refusal, refuse } from './refuse.ts';
import { Refusal, refusalOf } from './refusal.ts';

type GuardedDeps = {
  readonly gate: Gate;
  /** Told of bugs. It never has a token in it. */
  readonly report: (problem: unknown) => void;
  /** Told of each refusal by which the log may be another one. */
  readonly refused?: (refusal: Refusal, error: Error) => void;
  /** The part of the path of a request that is the app's. Default: all of it. */
  readonly getPath?: (request: Request) => string;
};

/** An app that answers nothing below `/api/` to who has not passed the gate: who sends a request is known before anything is looked at. */
export function guardedApp({ gate, report, refused, getPath }: GuardedDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>(getPath ? { getPath } : {});
  app.onError((error) => {
    const known = refusalOf(error);
    if (known) refused?.(known, error);
    else report(error);
    return refuse(known ?? broken());
  });
  app.notFound((c) => refuse(noAddress(c)));
  app.use('/api/*', async (c, next) => {
    c.set('caller', c.env.passed ?? (await gate.pass(c)));
    await next();
    return undefined;
  });
  app.post('/api/*', async (c, next) => {
    if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '') && !isEmpty(c))
      throw notJson();
    await next();
  });
  return app;
}

/** Has an app answer what these endpoints say, by the handlers of the same names. */
export function addEndpoints<E extends Readonly<Record<string, Endpoint>>>(
  app: Hono<AppEnv>,
  endpoints: E,
  handlers: { readonly [N in keyof E]: unknown },
): void {
  const sameReply = new SameReply();
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const handle = handlers[name] as (asked: unknown, caller: Caller) => unknown;
    app.on(endpoint.method, path, async (c) => {
      const caller = c.get('caller');
      requireAccess(endpoint, caller);
      const asked = await readRequest(c, endpoint);
      const does = () => handle(asked, caller);
      const body = repeatsAlike(endpoint) ? await sameReply.once(c, asked, does) : await does();
      return Response.json(body, { headers: apiHeaders });
    });
  }
}

function requireAccess({ needs }: Endpoint, { may, name }: Caller): void {
  if (needs === 'read' || may === 'decide') return;
  throw new Refusal(403, {
    code: 'READ_ONLY',
    message: `Cannot decide with the token ${name}: it may only read`,
    fix: 'Use the address that clifford serve has printed, or make one that may decide: clifford serve token add',
  });
}

/** There is nothing at the address of a request. */
export function noAddress({ req }: Context): Refusal {
  return new Refusal(404, {
    code: 'NOT_FOUND',
    message: `Cannot ${req.method} this: there is no such address`,
    fix: 'See what there is at /api/openapi.json',
  });
}

/** It says that it has no body. */
function isEmpty({ req }: Context): boolean {
  const length = req.header('content-length') ?? '0';
  return length === '0' && req.header('content-type') === undefined && !req.header('transfer-encoding');
}

function notJson(): Refusal {
  return refusal(
    415,
    'NOT_JSON',
    'Cannot take a body that is not JSON',
    'Send Content-Type: application/json',
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
