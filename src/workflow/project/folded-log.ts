import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEvent } from '../../events/envelope.ts';
import type { EventLog } from '../../events/log/event-log.ts';
import { isStale, logReplaced } from '../../events/log/log-replaced.ts';
import { CliffordError } from '../../errors.ts';
import { projectClosed } from './closing-log.ts';
import { createSprintState, type ProjectState, type SprintState } from '../../machines/project-state.ts';
import { ConfirmedParts, isConfirmed, type ConfirmOptions } from './confirmed-parts.ts';
import { KeptSnapshot } from './kept-snapshot.ts';
import { LogFold } from './log-fold.ts';
import { LogFollower, type LogTrouble } from './log-follower.ts';

/** Called after events were folded, with them and the state they led to. */
export type Listener = (events: readonly StoredEvent[], state: ProjectState) => void;

/**
 * How long a log may be cut or missing, in ms, before it is another one: who restores a copy writes it bit by
 * bit. And how often it is looked at meanwhile.
 */
const RESTORE_MS = 1_000;
const RESTORE_LOOK_MS = 20;

/** How long who has appended waits for a log that does not show it, in ms: it is durable already. */
const LONGEST_LAG_MS = 2_000;

/** Longest pause before the log is read again for what was appended a moment ago, in ms. */
const LONGEST_LAG_PAUSE_MS = 100;

/**
 * A log and the state it folds into. What any process appends arrives by {@link refresh}, or by
 * itself while someone listens or waits.
 *
 * It is always the same log: one that was cut, removed or replaced is `LOG_REPLACED`, for good. One that
 * cannot be read for now, or is damaged, is read again when it changes.
 */
export class FoldedLog {
  readonly #log: EventLog;
  readonly #snapshot: KeptSnapshot;
  readonly #listeners = new Set<Listener>();
  readonly #follower: LogFollower;
  /** Another one once it turns out that this one is not what the log says. */
  #fold: LogFold;
  /** Of what the log says the same as the snapshot did. `undefined`: all came from the log. */
  #confirmed: ConfirmedParts | undefined;
  #reading: Promise<void> = Promise.resolve();
  /** The read that has not begun. */
  #next: Promise<void> | undefined;
  /** What was folded is no longer in the log. */
  #replaced: CliffordError | undefined;
  readonly #closing = new AbortController();

  /** Goes on from the snapshot in a file, if there is one, and keeps later ones there. */
  constructor(log: EventLog, snapshotPath: string) {
    this.#log = log;
    this.#snapshot = new KeptSnapshot(snapshotPath);
    const folded = this.#snapshot.load((stream) => this.#unreadable(stream));
    this.#fold = new LogFold(folded);
    this.#confirmed = folded && new ConfirmedParts();
    this.#follower = new LogFollower({
      log,
      follow: (signal) => this.#followOn(signal),
      onTrouble: () => this.#tell([]),
      isFinal: (error) => error === this.#replaced,
    });
  }

  /** The state as far as the log has been read. Changes in place when events arrive. */
  get state(): ProjectState {
    return this.#fold.state;
  }

  /** `Project.trouble`. */
  get trouble(): LogTrouble | undefined {
    return this.#follower.trouble;
  }

  /** `Project.refresh`. Whoever comes before it begins shares it. */
  async refresh(): Promise<ProjectState> {
    this.#next ??= this.#inTurn(() => {
      this.#next = undefined;
      return this.#catchUp();
    });
    await this.#next;
    return this.state;
  }

  /**
   * Folds what was appended to `stream`, however often the log has to be read for it. It is there, so that who appended
   * it is told of no error: where the log cannot be read, lags for long, or is closed, it is folded as it was appended,
   * and the whole log once that can be read. Rejects never, and takes {@link LONGEST_LAG_MS} at most beside one reading.
   */
  async reach(stream: string, appended: readonly StoredEvent[]): Promise<void> {
    const version = appended.at(-1)?.streamversion ?? 0;
    const deadline = performance.now() + LONGEST_LAG_MS;
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_LAG_PAUSE_MS)) {
      const trouble = await this.refresh().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (this.#fold.versionOf(stream) >= version) return;
      const isOver = this.#closing.signal.aborted || performance.now() >= deadline;
      if (isOver || (trouble && !mayPass(trouble.error))) break;
      await sleep(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
    const fresh = this.#fold.goAhead(stream, appended);
    if (fresh.length > 0) this.#tell(fresh);
  }

  /**
   * `Project.confirm`: reads that part of the log, once for each stream. If the snapshot says anything else, nothing
   * of it counts: the whole log is folded.
   */
  async confirm(stream: string, options: ConfirmOptions = {}): Promise<ProjectState> {
    const isKnown = this.#confirmed?.has(stream, options) ?? true;
    if (!isKnown) await this.#inTurn(() => this.#compare(stream, options));
    return this.state;
  }

  /** `Project.subscribe`. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#follower.start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) void this.#follower.stop();
    };
  }

  /** `Project.until`. */
  async until<T>(
    probe: (state: ProjectState) => T | undefined,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> {
    const ending = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    ending.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const look = () => {
      const { trouble } = this.#follower;
      // Whoever waits for a human waits for a server, too: it is tried again.
      if (trouble && !mayPass(trouble.error)) return reject(trouble.error);
      try {
        const found = probe(this.state);
        if (found !== undefined) resolve(found);
      } catch (error) {
        reject(error);
      }
    };
    const abort = () => reject(ending.reason);
    const unsubscribe = this.subscribe(look);
    ending.addEventListener('abort', abort, { once: true });
    try {
      this.refresh().then(look, (error: unknown) => {
        if (!mayPass(error)) reject(error);
      });
      return await promise;
    } finally {
      ending.removeEventListener('abort', abort);
      unsubscribe();
    }
  }

  /** Ends the waits, stops following and waits for what is being read. */
  async close(): Promise<void> {
    this.#closing.abort(projectClosed());
    this.#listeners.clear();
    await this.#follower.stop();
    await this.#reading;
  }

  /** Runs `work` after what is being read, and before what is read next. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#reading.then(work);
    this.#reading = done.catch(() => undefined);
    return done;
  }

  async #catchUp(): Promise<void> {
    if (this.#replaced) throw this.#replaced;
    try {
      await this.#readOn();
    } catch (error) {
      if (isStale(error) && !this.#fold.isUnseen) await this.#readRestored(error);
      else if (isStale(error) || this.#confirmed) {
        // The snapshot is of another log; or whatever is wrong may be wrong with the snapshot.
        this.#begin(new LogFold());
        await this.#readOn();
      } else throw error;
    }
    this.#follower.noteReadable();
    if (!this.#fold.isAhead) await this.#snapshot.keep(this.#fold);
    else if (this.#fold.hasCaughtUp) await this.#foldAnew();
  }

  #readOn(): Promise<void> {
    return this.#fold.readOn(this.#log, (events) => this.#tell(events));
  }

  /** @throws {CliffordError} `LOG_REPLACED` unless the log becomes soon what it was. */
  async #readRestored(stale: CliffordError): Promise<void> {
    const deadline = performance.now() + RESTORE_MS;
    while (performance.now() < deadline && !this.#closing.signal.aborted) {
      await sleep(RESTORE_LOOK_MS);
      try {
        return await this.#readOn();
      } catch (error) {
        if (!isStale(error)) throw error;
      }
    }
    this.#replaced = logReplaced(stale);
    throw this.#replaced;
  }

  /** The log is not the one that was folded: it was replaced, or the snapshot was another's. */
  #begin(fold: LogFold): void {
    this.#fold = fold;
    this.#confirmed = undefined;
    this.#snapshot.disregard();
  }

  /** Folds the whole log beside the state, which may be followed meanwhile, and then puts it in its place. */
  async #foldAnew(): Promise<void> {
    const fold = new LogFold();
    const news: StoredEvent[] = [];
    await fold.readOn(this.#log, (events) => {
      news.push(...events.filter((event) => this.#fold.isNew(event)));
    });
    this.#begin(fold);
    // Without news, too: what was seen before was wrong.
    this.#tell(news);
    await this.#catchUp();
  }

  /** Whether the log says of `stream`, and of what is the same for all, what the snapshot did. If not, the log counts. */
  async #compare(stream: string, options: ConfirmOptions): Promise<void> {
    const confirmed = this.#confirmed;
    if (!confirmed) return;
    const isSame = await isConfirmed(this.#log, this.#fold, { stream, ...options });
    // Something else may have found the snapshot out meanwhile.
    if (this.#confirmed !== confirmed) return;
    if (isSame) confirmed.add(stream, options);
    else await this.#foldAnew();
  }

  /** A stream of the snapshot that is no stream: nothing of the snapshot counts. Until that is known it has no events. */
  #unreadable(stream: string): SprintState {
    const confirmed = this.#confirmed;
    this.#inTurn(async () => {
      if (confirmed && this.#confirmed === confirmed) await this.#foldAnew();
    }).catch(() => undefined);
    return createSprintState(stream);
  }

  #tell(events: readonly StoredEvent[]): void {
    for (const listener of this.#listeners) listener(events, this.state);
  }

  /** Follows until the signal aborts, or what was read is not there any more: reading on says what that means. */
  async #followOn(signal: AbortSignal): Promise<void> {
    await this.refresh();
    const fold = this.#fold;
    const after = fold.checkpoint;
    try {
      for await (const batch of this.#log.follow({ signal, ...(after ? { after } : {}) })) {
        // Who followed an earlier one may be ahead of the one that is there now.
        if (fold !== this.#fold) return;
        const fresh = fold.take(batch);
        if (fresh.length > 0) this.#tell(fresh);
      }
    } catch (error) {
      if (isStale(error)) return;
      if (this.#confirmed === undefined) throw error;
      await this.#inTurn(() => this.#foldAnew());
    }
  }
}

/** Whether a log that could not be read may be read when it is tried again. */
function mayPass(error: unknown): boolean {
  return error instanceof CliffordError && error.recovery === 'retry';
}
