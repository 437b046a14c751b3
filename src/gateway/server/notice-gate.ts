/** How many notices of a server are passed on within {@link WINDOW_MS}. */
const MAX_NOTICES = 100;

/** In ms. */
const WINDOW_MS = 1_000;

/** Lets through what a server sends by itself, up to an amount; more is counted and forgotten. */
export class NoticeGate {
  #windowStart = -Infinity;
  #passed = 0;
  #dropped = 0;

  /** Whether the next may pass, and how many were dropped before it. */
  next(): { readonly passes: boolean; readonly dropped: number } {
    const now = performance.now();
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#passed = 0;
    }
    if (this.#passed >= MAX_NOTICES) {
      this.#dropped++;
      return { passes: false, dropped: 0 };
    }
    this.#passed++;
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { passes: true, dropped };
  }
}
