/**
 * Work of the same name is done one after the other, in the order it came, whatever became of the one
 * before. For what would only get into its own way: each has to see what the last one left.
 */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does `work` when its turn has come. Returns what it returns, and throws what it throws. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(name, turn);
    const done = () => {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    };
    turn.then(done, done);
    return turn;
  }

  /** The work of this name that ends last of what goes on. `undefined`: none does. */
  last(name: string): Promise<unknown> | undefined {
    return this.#last.get(name);
  }
}
