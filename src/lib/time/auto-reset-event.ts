/** An event that one waiter waits for: set now, or in so many ms. It is reset by the wait that it ends. */
export class AutoResetEvent {
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #isSet = false;
  #wake: (() => void) | undefined;

  /** Sets it in `ms` from now, unless it will be earlier. */
  setIn(ms: number): void {
    const due = performance.now() + ms;
    if (this.#isSet || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.set(), ms);
  }

  /** Sets it now. */
  set(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    this.#isSet = true;
    this.#wake?.();
  }

  /** Waits until it is set; not at all if it is. */
  async wait(): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    this.#isSet = false;
  }

  /** Is not set by {@link setIn} any more. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
