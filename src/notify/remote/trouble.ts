import { backoffMs } from '../../lib/time/backoff.ts';
import type { DeliveryError } from './delivery-error.ts';

/** Longest pause after something that failed, in ms. */
const LONGEST_MS = 300_000;
/** After what would be refused again, in ms: somebody has to change something. */
const REFUSED_MS = 600_000;
/** However long a service wants to be left alone, it is asked again after this time, in ms. */
const LONGEST_RETRY_MS = 3_600_000;
/** What has worked so long, in ms, works again. */
const HEALTHY_MS = 60_000;

/** What goes wrong with a service: for how long it is left alone, and whether that is worth a line. */
export class Trouble {
  readonly #firstMs: number;
  #failures = 0;
  /** The kind of failure that was said last. */
  #said: string | undefined;

  /** `firstMs`: the first pause. */
  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  /** Whether it failed the last time. */
  get isThere(): boolean {
    return this.#failures > 0;
  }

  /** `lastedMs`: how long it had worked before it failed. */
  failed(
    { kind, isRefusal, retryAfterMs }: DeliveryError,
    lastedMs = 0,
  ): { readonly retryMs: number; readonly isNews: boolean } {
    if (lastedMs >= HEALTHY_MS) this.worked();
    const retryMs = isRefusal
      ? REFUSED_MS
      : Math.min(
          Math.max(
            retryAfterMs ?? 0,
            backoffMs({ firstMs: this.#firstMs, longestMs: LONGEST_MS }, this.#failures),
          ),
          LONGEST_RETRY_MS,
        );
    const isNews = this.#said !== kind;
    this.#failures += 1;
    this.#said = kind;
    return { retryMs, isNews };
  }

  worked(): void {
    this.#failures = 0;
    this.#said = undefined;
  }
}
