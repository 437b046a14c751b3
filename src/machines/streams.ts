/** A stream that is over, kept in a form that costs nothing until somebody asks for it. */
export type CompressedForm<State> = {
  readonly restore: () => State;
  /** Whether this text occurs in the id of a request of it. May be true too often, never too rarely. */
  readonly mentions: (text: string) => boolean;
};

/** The streams of a project by id, each as the `State` it is folded into. Those that are over may be compressed; asking for one restores it. */
export class Streams<State> {
  readonly #loaded = new Map<string, State>();
  readonly #compressed = new Map<string, CompressedForm<State>>();

  get size(): number {
    return this.#loaded.size + this.#compressed.size;
  }

  has(id: string): boolean {
    return this.#loaded.has(id) || this.#compressed.has(id);
  }

  get(id: string): State | undefined {
    const sprint = this.#loaded.get(id);
    if (sprint) return sprint;
    const restored = this.#compressed.get(id)?.restore();
    if (restored) this.set(id, restored);
    return restored;
  }

  set(id: string, sprint: State): void {
    this.#compressed.delete(id);
    this.#loaded.set(id, sprint);
  }

  /** Compresses a stream that is over: nothing in it is open, and only a late event can change it. */
  compress(id: string, compressed: CompressedForm<State>): void {
    this.#loaded.delete(id);
    this.#compressed.set(id, compressed);
  }

  /** Every id. */
  keys(): string[] {
    return [...this.#loaded.keys(), ...this.#compressed.keys()];
  }

  /** Those that are loaded: all that can still be worked on, and some that are over. */
  loaded(): State[] {
    return [...this.#loaded.values()];
  }

  /** Those that are compressed, by id. */
  compressed(): ReadonlyMap<string, CompressedForm<State>> {
    return this.#compressed;
  }

  /** All of them, restored. For many finished sprints that is slow. */
  values(): State[] {
    for (const id of this.#compressed.keys()) this.get(id);
    return this.loaded();
  }

  /** Those with requests whose id has `text` in it, restored, and all that are loaded. */
  mentioning(text: string): State[] {
    for (const [id, compressed] of this.#compressed) if (compressed.mentions(text)) this.get(id);
    return this.loaded();
  }
}
