import { LONGEST_TIMER_MS } from '../../lib/time/longest-timer.ts';

/** How long a call may go on: until its time is up, or until whoever made it does not want it any more. */
export class CallClock {
  readonly #abort = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly limitMs: number;
  #isLate = false;

  constructor(limitMs: number, caller: AbortSignal | undefined) {
    this.limitMs = Math.min(limitMs, LONGEST_TIMER_MS);
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#abort.abort(`it took more than ${this.limitMs} ms`);
    }, this.limitMs);
    if (caller?.aborted) this.#cancel();
    caller?.addEventListener('abort', this.#cancel, { once: true });
  }

  /** Aborts when the call is over. Its reason is a text that the server may hear. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isLate(): boolean {
    return this.#isLate;
  }

  /** The call has ended: neither time nor caller can abort it any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = (): void => this.#abort.abort('the call was cancelled');
}
