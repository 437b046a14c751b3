import type { LogFold } from './log-fold.ts';
import { loadSnapshot, saveSnapshot, type Folded, type Unreadable } from './snapshot-cache.ts';

/** Events that make a new snapshot worth its writing: so many, and a share of what is there. */
const SNAPSHOT_EVERY_EVENTS = 500;
const SNAPSHOT_EVERY_SHARE = 0.01;

/** The snapshot of a fold in its file: from where it goes on, and written anew from time to time. */
export class KeptSnapshot {
  readonly #path: string;
  /** Events in the one that lies there. */
  #events = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** What lies there, as {@link loadSnapshot} says. */
  load(unreadable: Unreadable): Folded | undefined {
    const folded = loadSnapshot(this.#path, unreadable);
    this.#events = folded?.checkpoint.events ?? 0;
    return folded;
  }

  /** What lies there is worth nothing. */
  disregard(): void {
    this.#events = 0;
  }

  /** Writes a state, if it has come far enough since the last one. */
  async keep({ state, checkpoint }: Pick<LogFold, 'state' | 'checkpoint'>): Promise<void> {
    if (!checkpoint) return;
    const enough = Math.max(SNAPSHOT_EVERY_EVENTS, checkpoint.events * SNAPSHOT_EVERY_SHARE);
    if (checkpoint.events - this.#events < enough) return;
    this.#events = checkpoint.events;
    await saveSnapshot(this.#path, { state, checkpoint });
  }
}
