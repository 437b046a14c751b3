import { useSyncExternalStore } from 'react';

/** A value that components read, and are drawn anew with when it changes. */
export class Store<T> {
  #value: T;
  #drawn: T;
  #isDue = false;
  readonly #pauseMs: number;
  readonly #listeners = new Set<() => void>();

  /** @param pauseMs - It is drawn at most so often; 0: with each frame. */
  constructor(value: T, pauseMs = 0) {
    this.#value = value;
    this.#drawn = value;
    this.#pauseMs = pauseMs;
  }

  /** As it is now; what is drawn may be a frame behind. */
  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    // However often it changes, once in a while is enough to be drawn.
    if (this.#isDue) return;
    this.#isDue = true;
    // A page that is hidden has no frames, and still a title.
    if (this.#pauseMs === 0 && document.visibilityState === 'visible')
      requestAnimationFrame(() => this.#draw());
    else setTimeout(() => this.#draw(), this.#pauseMs);
  }

  #draw(): void {
    this.#isDue = false;
    this.#drawn = this.#value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly drawn = (): T => this.#drawn;
}

/** What a store has, in a component. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.drawn);
}
