/** Wakes one waiter: at the earliest of the times it was set to since it last rang. */
export class WakeTimer {
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;
  #hasFired = false;
  #wake: (() => void) | undefined;

  /** Rings in `ms` from now, or earlier if it is set to that. */
  set(ms: number): void {
    const due = performance.now() + ms;
    if (this.#hasFired || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => this.fire(), ms);
  }

  /** Rings now. */
  fire(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
    this.#hasFired = true;
    this.#wake?.();
  }

  /** Waits until it rings; not at all if it has rung since the last time. */
  async next(): Promise<void> {
    if (!this.#hasFired) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    this.#hasFired = false;
  }

  /** Never rings by itself again. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
