import type { StoredEvent } from '../../events/envelope.ts';
import type { HistoryCursor } from './history-cursor.ts';

/** Events that are looked at before others have a turn. */
const STEP = 1_024;

/** The events of a history that a test is true of: looked for once, then among what has come since. */
export class FoundEvents {
  readonly #cursor: Pick<HistoryCursor, 'events' | 'length'>;
  readonly #test: (event: StoredEvent) => boolean;
  #versions: number[] = [];
  #searched = 0;
  #reading: Promise<void> | undefined;

  constructor(cursor: Pick<HistoryCursor, 'events' | 'length'>, test: (event: StoredEvent) => boolean) {
    this.#cursor = cursor;
    this.#test = test;
  }

  /** Their versions, which rise. It is another list when there are more. */
  get versions(): readonly number[] {
    return this.#versions;
  }

  /**
   * Looks at what it has not looked at.
   *
   * @throws why the log cannot be read; the signal's reason.
   */
  async readOn(signal: AbortSignal): Promise<void> {
    this.#reading ??= this.#lookOn(signal).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #lookOn(signal: AbortSignal): Promise<void> {
    const found: number[] = [];
    try {
      while (this.#searched < this.#cursor.length) {
        const events = await this.#cursor.events(this.#searched + 1, this.#searched + STEP);
        signal.throwIfAborted();
        for (const event of events) if (this.#test(event)) found.push(event.streamversion);
        const last = events.at(-1);
        if (!last) break;
        this.#searched = last.streamversion;
      }
    } finally {
      // Also where the log could not be read to its end: nothing is looked at twice.
      if (found.length > 0) this.#versions = [...this.#versions, ...found];
    }
  }

  /** The nearest one beyond a version, in one direction. */
  next(version: number, step: 1 | -1): number | undefined {
    const at = placeOf(this.#versions, version);
    if (step === -1) return this.#versions[at - 1];
    return this.#versions[this.#versions[at] === version ? at + 1 : at];
  }
}

/** How many of these, which rise, are below a version. */
export function placeOf(versions: readonly number[], version: number): number {
  let [low, high] = [0, versions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((versions[middle] ?? 0) < version) low = middle + 1;
    else high = middle;
  }
  return low;
}
