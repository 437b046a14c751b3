import { Refusal } from '../refusal.ts';
import { networkOf } from './network-of.ts';

/** How many requests may come at once, and in how long, in ms, as many more. */
type Limit = { readonly most: number; readonly everyMs: number };

/** With a wrong token, from one address. */
const WRONG: Limit = { most: 20, everyMs: 60_000 };
/** With one valid token: hundreds of pages that are opened at once, or that follow what happens, are far from it. */
const VALID: Limit = { most: 5_000, everyMs: 10_000 };
/** Whose requests are remembered at most, of each kind. */
const MOST_KEYS = 1_000;

/** Which requests are too many: with a wrong token by the address that they come from, with a valid one by that. */
export class RequestLimits {
  readonly #wrong = new Buckets(WRONG);
  readonly #valid = new Buckets(VALID);

  /** @throws {Refusal} 429, once there were too many. */
  noteWrong(address: string): void {
    const seconds = this.#wrong.take(networkOf(address));
    if (seconds !== undefined)
      throw tooMany(seconds, {
        code: 'TOO_MANY_ATTEMPTS',
        message: 'Cannot look at another wrong token from this address',
        fix: `Try again in ${seconds} s with one that is valid`,
      });
  }

  /** @throws {Refusal} 429, once there were too many. */
  noteValid({ digest, name }: { readonly digest: string; readonly name: string }): void {
    const seconds = this.#valid.take(digest);
    if (seconds !== undefined)
      throw tooMany(seconds, {
        code: 'TOO_MANY_REQUESTS',
        message: `Cannot answer so many requests with the token ${name}: ${VALID.most / (VALID.everyMs / 1_000)} a second are answered for long, and ${VALID.most} at once`,
        fix: `Go on in ${seconds} s`,
      });
  }
}

function tooMany(retryAfterS: number, error: ConstructorParameters<typeof Refusal>[1]): Refusal {
  return new Refusal(429, { ...error, retryAfterS });
}

type Bucket = { left: number; at: number };

/** For each key a bucket of requests, full at first, that fills again as time passes. */
class Buckets {
  readonly #limit: Limit;
  /** Those that were taken of last at the end. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: Limit) {
    this.#limit = limit;
  }

  /** Takes one. Returns after how many seconds there is one again, where there is none. */
  take(key: string, now = performance.now()): number | undefined {
    const { most, everyMs } = this.#limit;
    const { left, at } = this.#buckets.get(key) ?? { left: most, at: now };
    const filled = Math.min(most, left + ((now - at) * most) / everyMs);
    const isEmpty = filled < 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: isEmpty ? filled : filled - 1, at: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_KEYS && oldest !== undefined) this.#buckets.delete(oldest);
    return isEmpty ? Math.ceil(((1 - filled) * everyMs) / most / 1_000) : undefined;
  }
}
