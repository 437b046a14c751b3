import { useEffect, useState } from 'react';
import { Store, useStore } from '../connection/store.ts';

const SECOND_MS = 1_000;

/** The time, which everything that says how long something takes shares: it ticks while somebody looks. */
class Clock extends Store<number> {
  skewMs = 0;
  readonly #tick = () => (this.value = Date.now() + this.skewMs);

  constructor() {
    super(Date.now());
    setInterval(() => document.visibilityState === 'visible' && this.#tick(), SECOND_MS);
    document.addEventListener('visibilitychange', this.#tick);
  }

  /** By the clock of the server, which is `skewMs` ahead. */
  set(skewMs: number): void {
    this.skewMs = skewMs;
    this.#tick();
  }
}

export const clock = new Clock();

/** Now, in ms since the epoch, by the clock of the server, each second anew. */
export function useNow(): number {
  return useStore(clock);
}

/** Whether so much time has passed since this was drawn first, or with another `key`. */
export function usePassed(ms: number, key?: unknown): boolean {
  const [passed, setPassed] = useState<unknown>(noKey);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(key), ms);
    return () => clearTimeout(timer);
  }, [ms, key]);
  return passed === key;
}

/** Nothing has this key. */
const noKey = Symbol('none');
