/** Shortest time between two readings of the same, in ms: a sprint may have a thousand events a second. */
const READ_EVERY_MS = 500;

/** What takes long is read seldom: a reading takes one part in so many of the time. */
const READING_SHARE = 5;

/** Begins the readings of one reader: of something else at once, of the same again after a pause. The last one that is wanted counts. */
export class SpacedReads {
  #key: string | undefined;
  #nextAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Begins a reading of what `key` names; at once, if it `isUrgent`, whatever was read before. */
  want(key: string, read: () => Promise<unknown>, { isUrgent = false }: { isUrgent?: boolean } = {}): void {
    clearTimeout(this.#timer);
    const wait = key === this.#key && !isUrgent ? this.#nextAt - performance.now() : 0;
    if (wait > 0) this.#timer = setTimeout(() => this.#begin(key, read), wait).unref();
    else this.#begin(key, read);
  }

  /** Begins none that waits. */
  drop(): void {
    clearTimeout(this.#timer);
  }

  #begin(key: string, read: () => Promise<unknown>): void {
    const begunAt = performance.now();
    this.#key = key;
    this.#nextAt = begunAt + READ_EVERY_MS;
    const isRead = () => {
      const took = performance.now() - begunAt;
      if (this.#key === key) this.#nextAt = begunAt + Math.max(READ_EVERY_MS, READING_SHARE * took);
    };
    void read().then(isRead, isRead);
  }
}
