import { Refusal } from '../refusal.ts';

/** So many streams are open at most. */
const MOST_STREAMS = 1_000;
/** Of these so many with one token: whoever has another one gets in. */
const MOST_OF_TOKEN = 250;

/** How many streams are open: one for each server, however many projects it serves. */
export class OpenStreams {
  #count = 0;
  readonly #ofToken = new Map<string, number>();

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /**
   * Counts one with a token of this digest.
   *
   * @returns what counts it no longer.
   * @throws {Refusal} 503 when there are too many.
   */
  add(digest: string): () => void {
    const own = this.#ofToken.get(digest) ?? 0;
    if (this.#count >= MOST_STREAMS) throw tooMany(`${MOST_STREAMS} are open`);
    if (own >= MOST_OF_TOKEN) throw tooMany(`${MOST_OF_TOKEN} are open with this token`);
    this.#count += 1;
    this.#ofToken.set(digest, own + 1);
    return () => {
      this.#count -= 1;
      const left = (this.#ofToken.get(digest) ?? 1) - 1;
      if (left > 0) this.#ofToken.set(digest, left);
      else this.#ofToken.delete(digest);
    };
  }
}

function tooMany(why: string): Refusal {
  return new Refusal(503, {
    code: 'TOO_MANY_STREAMS',
    message: `Cannot open another stream: ${why}`,
    fix: 'Close pages that nobody looks at',
  });
}
