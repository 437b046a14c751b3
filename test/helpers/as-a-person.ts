// The clock of a test may be one that stands still.
const { setTimeout, performance } = globalThis;

/** What a person needs between two keys, or between what they see and a key, in ms. */
const PAUSE_MS = 55;

/** Presses keys as a person does: what comes sooner is taken for a piece of a text that is pasted. */
export class AsAPerson {
  readonly #write: (bytes: string) => void;
  #lastAt = -Infinity;
  #pending: Promise<void> | undefined;

  constructor(write: (bytes: string) => void) {
    this.#write = write;
  }

  /** Something was drawn. */
  seen(): void {
    this.#lastAt = performance.now();
  }

  press(bytes: string): void {
    const leftMs = isDeliberate(bytes) ? this.#lastAt + PAUSE_MS - performance.now() : 0;
    if (!this.#pending && leftMs <= 0) return this.#now(bytes);
    const before = this.#pending ?? Promise.resolve();
    const pending = before.then(async () => {
      const ms = isDeliberate(bytes) ? this.#lastAt + PAUSE_MS - performance.now() : 0;
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      this.#now(bytes);
      if (this.#pending === pending) this.#pending = undefined;
    });
    this.#pending = pending;
  }

  #now(bytes: string): void {
    this.#write(bytes);
    this.#lastAt = performance.now();
  }
}

/** What moves, by a sequence, may be held; all else is pressed, or pasted, at what is seen. */
function isDeliberate(bytes: string): boolean {
  return !bytes.startsWith('\u001B[') || bytes.startsWith('\u001B[200~');
}
