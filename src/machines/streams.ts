/** A stream that is over, kept in a form that costs nothing until somebody asks for it. */
export type DormantStream<State> = {
  readonly wake: () => State;
  /** Whether this text occurs in the id of a request of it. May be true too often, never too rarely. */
  readonly mentions: (text: string) => boolean;
};

/** The streams of a project by id, each as the `State` it is folded into. Those that are over may sleep; asking for one wakes it. */
export class Streams<State> {
  readonly #awake = new Map<string, State>();
  readonly #asleep = new Map<string, DormantStream<State>>();

  get size(): number {
    return this.#awake.size + this.#asleep.size;
  }

  has(id: string): boolean {
    return this.#awake.has(id) || this.#asleep.has(id);
  }

  get(id: string): State | undefined {
    const sprint = this.#awake.get(id);
    if (sprint) return sprint;
    const woken = this.#asleep.get(id)?.wake();
    if (woken) this.set(id, woken);
    return woken;
  }

  set(id: string, sprint: State): void {
    this.#asleep.delete(id);
    this.#awake.set(id, sprint);
  }

  /** Lets a stream sleep that is over: nothing in it is open, and only a late event can change it. */
  sleep(id: string, dormant: DormantStream<State>): void {
    this.#awake.delete(id);
    this.#asleep.set(id, dormant);
  }

  /** Every id. */
  keys(): string[] {
    return [...this.#awake.keys(), ...this.#asleep.keys()];
  }

  /** Those that are awake: all that can still be worked on, and some that are over. */
  awake(): State[] {
    return [...this.#awake.values()];
  }

  /** Those that sleep, by id. */
  asleep(): ReadonlyMap<string, DormantStream<State>> {
    return this.#asleep;
  }

  /** All of them, woken. For many finished sprints that is slow. */
  values(): State[] {
    for (const id of this.#asleep.keys()) this.get(id);
    return this.awake();
  }

  /** Those with requests whose id has `text` in it, woken, and all that are awake. */
  mentioning(text: string): State[] {
    for (const [id, dormant] of this.#asleep) if (dormant.mentions(text)) this.get(id);
    return this.awake();
  }
}
