import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './gate.ts';

/** So long a reply is kept, in ms: a browser sends again at once what was lost with its connection. */
const KEPT_MS = 60_000;
/** How many are kept at most. */
const MOST_REPLIES = 200;
const MAX_KEY_LENGTH = 64;

type Kept = { readonly reply: Promise<Response>; readonly until: number };

/**
 * Does once what is sent twice with one `Idempotency-Key`, as a browser does by itself where a connection ends before the
 * reply: the second one has the reply to the first. One that was refused is asked anew: nothing was done. Keys are those of one
 * caller and one address.
 */
export function sameReply(): MiddlewareHandler<AppEnv> {
  const replies = new Map<string, Kept>();
  return async (c, next) => {
    const key = c.req.header('idempotency-key');
    // What is hidden is shown to whoever may see it when it is asked for.
    if (key === undefined || key.length > MAX_KEY_LENGTH || c.req.path.endsWith('/reveal')) return next();
    const whole = JSON.stringify([c.get('caller').digest, c.req.url, key]);
    const now = performance.now();
    for (const [each, { until }] of replies)
      if (until < now || replies.size > MOST_REPLIES) replies.delete(each);
    const known = await replies.get(whole)?.reply;
    if (known?.ok) return known.clone();
    const { promise: reply, resolve } = Promise.withResolvers<Response>();
    replies.set(whole, { reply, until: now + KEPT_MS });
    await next();
    if (!c.res.ok) replies.delete(whole);
    resolve(c.res.clone());
    return undefined;
  };
}
