/** Wakes one waiter: at the earliest of the times it was set to since it last fired. */
export class WakeTimer {
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #hasFired = false;
  #wake: (() => void) | undefined;

  /** Fires in `ms` from now, or earlier if it is set to that. */
  set(ms: number): void {
    const due = performance.now() + ms;
    if (this.#hasFired || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.fire(), ms);
  }

  /** Fires now. */
  fire(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    this.#hasFired = true;
    this.#wake?.();
  }

  /** Waits until it fires; not at all if it has fired since the last time. */
  async next(): Promise<void> {
    if (!this.#hasFired) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    this.#hasFired = false;
  }

  /** Never fires by itself again. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
