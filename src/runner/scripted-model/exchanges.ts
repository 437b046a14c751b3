import type { Conversation } from './conversation.ts';

/** One request, and what became of it. */
export type Exchange = {
  /** The key of the script; `undefined` for what is no turn of one: counting tokens, titles, unknown paths. */
  readonly key: string | undefined;
  readonly path: string;
  readonly conversation: Conversation | undefined;
  readonly body: unknown;
  /** `text`, the tools called, the kind of a failure, `stalled`, `side`, `not found`, or why it could not be. */
  readonly answered: string;
};

/** What a model server saw and did, in order. */
export class Exchanges {
  readonly all: Exchange[] = [];
  /** What no test wants: tools that were not offered, unknown paths, prompts without a script. */
  readonly surprises: string[] = [];
  readonly #listeners = new Set<(exchange: Exchange) => void>();

  record(seen: Partial<Exchange> & Pick<Exchange, 'path' | 'answered'>): void {
    const exchange = { key: undefined, conversation: undefined, body: undefined, ...seen };
    this.all.push(exchange);
    for (const listener of this.#listeners) listener(exchange);
  }

  /** Calls the listener with each exchange from now on. Returns what ends that. */
  subscribe(listener: (exchange: Exchange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits until an exchange is like this, unless there was one. */
  async until(is: (exchange: Exchange) => boolean): Promise<Exchange> {
    const earlier = this.all.find(is);
    if (earlier) return earlier;
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const unsubscribe = this.subscribe((exchange) => {
      if (is(exchange)) resolve(exchange);
    });
    const found = await promise;
    unsubscribe();
    return found;
  }

  /**
   * The latest state of the conversation with this key, or of the latest at all.
   *
   * @throws {Error} when there was none.
   */
  conversation(key?: string): Conversation {
    const found = this.all.findLast((one) => one.key !== undefined && (key ?? one.key) === one.key);
    if (!found?.conversation) throw new Error(`no conversation ${key ?? ''}: ${this.surprises.join('; ')}`);
    return found.conversation;
  }
}
