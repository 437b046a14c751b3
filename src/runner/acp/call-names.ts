/** So many ids are remembered: an agent that has made more calls since does not begin anew with one of them. */
const MAX_IDS = 1_000;

/** Ids of a session that were in use, the oldest of too many forgotten. */
export class KnownIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_IDS && oldest !== undefined) this.#ids.delete(oldest);
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }
}

/** Names for the calls of a session that no two have, where agents number them anew. */
export class CallNames {
  readonly #taken = new KnownIds();
  #again = 0;

  /** The id of the call as its agent has it, or with a number behind it, if another one had that. */
  next(id: string): string {
    this.#again += 1;
    const name = this.#taken.has(id) ? `${id} ${this.#again}` : id;
    this.#taken.add(id);
    return name;
  }
}
