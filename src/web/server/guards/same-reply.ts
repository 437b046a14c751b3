import type { Context } from 'hono';
import { digestOf } from '../../../lib/digest.ts';
import { REPEAT_HEADER, MAX_KEY_LENGTH } from '../../api/idempotency-key.ts';
import type { AppEnv } from './gate.ts';

/** So long a reply is kept, in ms: a browser sends again at once what was lost with its connection. */
const KEPT_MS = 60_000;
/** How many of a project are kept at most. */
const MOST_REPLIES = 200;

/** By what was asked: no text of it is kept. */
type Kept = { readonly reply: Promise<unknown>; readonly until: number };

/**
 * Does once what is sent twice with one key, as a browser does by itself where a connection ends before the reply: the second
 * one has the reply to the first. One that was refused, or failed, is asked anew. A key is that of one caller, one address
 * and one body.
 */
export class SameReply {
  readonly #replies = new Map<string, Kept>();

  /**
   * @param asked - What the request asks for, as JSON could write it.
   * @param does - What it does the first time.
   */
  once(c: Context<AppEnv>, asked: unknown, does: () => unknown): unknown {
    const key = c.req.header(REPEAT_HEADER);
    if (!key || key.length > MAX_KEY_LENGTH) return does();
    const whole = digestOf([c.get('caller').digest, c.req.path, key, asked]);
    const now = performance.now();
    for (const [each, { until }] of this.#replies)
      if (until < now || this.#replies.size > MOST_REPLIES) this.#replies.delete(each);
    const known = this.#replies.get(whole);
    if (known) return known.reply;
    const reply = (async () => does())();
    const kept = { reply, until: now + KEPT_MS };
    this.#replies.set(whole, kept);
    reply.catch(() => {
      if (this.#replies.get(whole) === kept) this.#replies.delete(whole);
    });
    return reply;
  }
}
