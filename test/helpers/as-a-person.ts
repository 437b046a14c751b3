// The clock of a test may be one that stands still.
const { setTimeout, performance } = globalThis;

/** What a person needs between two keys, or between what they see and a key, in ms. */
const PAUSE_MS = 55;
/** The same between keys that only move, and may be held: no more than keeps one from being taken for a piece of the one before. */
const HELD_PAUSE_MS = 25;

/** Presses keys as a person does: what comes sooner is taken for a piece of a text that is pasted, or for what is seen next. */
export class AsAPerson {
  readonly #write: (bytes: string) => void;
  #lastAt = -Infinity;
  #lastMoved = false;
  #pending: Promise<void> | undefined;

  constructor(write: (bytes: string) => void) {
    this.#write = write;
  }

  /** Something was drawn. */
  seen(): void {
    this.#lastAt = performance.now();
  }

  press(bytes: string): void {
    if (!this.#pending && this.#leftMs(bytes) <= 0) return this.#now(bytes);
    const before = this.#pending ?? Promise.resolve();
    const pending = before.then(async () => {
      const ms = this.#leftMs(bytes);
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      this.#now(bytes);
      if (this.#pending === pending) this.#pending = undefined;
    });
    this.#pending = pending;
  }

  #leftMs(bytes: string): number {
    return (
      this.#lastAt + (this.#lastMoved && onlyMoves(bytes) ? HELD_PAUSE_MS : PAUSE_MS) - performance.now()
    );
  }

  #now(bytes: string): void {
    this.#write(bytes);
    this.#lastMoved = onlyMoves(bytes);
    this.#lastAt = performance.now();
  }
}

/** A sequence, which is no paste. */
function onlyMoves(bytes: string): boolean {
  return bytes.startsWith('\u001B[') && !bytes.startsWith('\u001B[200~');
}
