import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../events/log/event-log.ts';

/**
 * Pauses between two tries to follow a log that cannot be read, in ms: from the shortest, twice as long each
 * time, to the longest. A change of the log ends one that has lasted as long as the shortest.
 */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

/** Why a log cannot be read for now. */
export type LogTrouble = {
  readonly error: unknown;
  /** Since when, in ms since 1970: what was read before is of then. */
  readonly since: number;
};

/** What a follower needs of whom it follows for. */
type FollowerDeps = {
  readonly log: Pick<EventLog, 'changed'>;
  /** Follows until the signal aborts or there is reason to begin anew; rejects when the log cannot be read. */
  readonly follow: (signal: AbortSignal) => Promise<void>;
  /** Called when the log cannot be read any more, and when it can again. */
  readonly onTrouble: () => void;
  /** Whether an error is for good. */
  readonly isFinal: (error: unknown) => boolean;
};

/** Follows a log while somebody wants it, also beyond errors: it is tried again until the log can be read. */
export class LogFollower {
  readonly #deps: FollowerDeps;
  #following: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #trouble: LogTrouble | undefined;
  /** Ends the pause before the next try. */
  #tryAgain: (() => void) | undefined;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /** Why the log could not be read when it was tried last. `undefined`: it could. */
  get trouble(): LogTrouble | undefined {
    return this.#trouble;
  }

  /** Begins to follow, unless it does. */
  start(): void {
    if (this.#following) return;
    const stop = new AbortController();
    this.#trouble = undefined;
    this.#following = { stop, done: this.#followUntil(stop.signal) };
  }

  /** Somebody else could read the log: the next try is now. */
  noteReadable(): void {
    this.#tryAgain?.();
    if (!this.#trouble) return;
    this.#trouble = undefined;
    this.#deps.onTrouble();
  }

  /** Ends it. Resolves when nothing is read any more. */
  async stop(): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    following?.stop.abort();
    await following?.done;
  }

  async #followUntil(signal: AbortSignal): Promise<void> {
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#deps.follow(signal);
        pauseMs = SHORTEST_PAUSE_MS;
      } catch (error) {
        const before = this.#trouble;
        this.#trouble = { error, since: before?.since ?? Date.now() };
        if (!before) this.#deps.onTrouble();
        if (this.#deps.isFinal(error)) return;
        await this.#pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Waits until the log may be read again: it changed, somebody could read it, or the time has come. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    this.#tryAgain = () => over.abort();
    const timer = setTimeout(() => over.abort(), ms);
    try {
      await sleep(SHORTEST_PAUSE_MS, undefined, { signal: either }).catch(() => undefined);
      await this.#deps.log.changed({ signal: either });
    } finally {
      clearTimeout(timer);
      this.#tryAgain = undefined;
    }
  }
}
