/**
 * Passes values on, but no two within `everyMs`, which may be asked anew for each: the first at once, then the latest of
 * what came meanwhile.
 */
export class Throttle<T> {
  readonly #pass: (value: T) => void;
  readonly #everyMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #waiting: { readonly value: T } | undefined;

  constructor(everyMs: number | (() => number), pass: (value: T) => void) {
    this.#everyMs = typeof everyMs === 'number' ? () => everyMs : everyMs;
    this.#pass = pass;
  }

  push(value: T): void {
    if (this.#isOver) return;
    if (this.#timer !== undefined) {
      this.#waiting = { value };
      return;
    }
    this.#timer = setTimeout(() => this.#next(), this.#everyMs());
    this.#timer.unref();
    this.#pass(value);
  }

  /** Passes at once what waits. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#pass(waiting.value);
  }

  /** Passes what waits, and nothing from then on. */
  end(): void {
    this.flush();
    this.drop();
  }

  /** Passes nothing from now on, not even what waits. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOver = true;
    this.#waiting = undefined;
  }

  #next(): void {
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.push(waiting.value);
  }
}
