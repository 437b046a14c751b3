import { setTimeout as sleep } from 'node:timers/promises';
import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import type { Checkpoint, EventBatch, EventLog } from '../../events/event-log.ts';
import { logReplaced } from '../../events/log-replaced.ts';
import { CliffordError } from '../../errors.ts';
import { applyEvent } from '../../machines/fold.ts';
import {
  createProjectState,
  createSprintState,
  type ProjectState,
  type SprintState,
} from '../../machines/project-state.ts';
import { limitEnd } from '../../machines/usage-limit.ts';
import { emptyStreamFold, foldStream, type StreamFold } from './fold-stream.ts';
import { isSamePolicy, isSameSpending, isSameSprint } from './same-state.ts';
import { compressEndedStreams } from './compressed-stream.ts';
import { loadSnapshot, saveSnapshot } from './snapshot-cache.ts';
import { capYoungGeneration } from '../../lib/processes/young-generation.ts';

/** Called after events were folded, with them and the state they led to. */
export type Listener = (events: readonly StoredEvent[], state: ProjectState) => void;

/** What has to be as the log says beside a stream and the policy: what agents used, and may use, in any stream. */
export type ConfirmOptions = { readonly usage?: boolean };

/** Events that make a new snapshot worth its writing: so many, and a share of what is there. */
const SNAPSHOT_EVERY_EVENTS = 500;
const SNAPSHOT_EVERY_SHARE = 0.01;

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
 * Pauses between two tries to follow a log that cannot be read, in ms: from the shortest, twice as long each
 * time, to the longest. A change of the log ends one that has lasted as long as the shortest.
 */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;

/**
 * A log and the state it folds into. What any process appends arrives by {@link refresh}, or by
 * itself while someone listens or waits.
 *
 * It is always the same log: one that was cut, removed or replaced is `LOG_REPLACED`, for good. One that
 * cannot be read for now, or is damaged, is read again when it changes.
 */
export class FoldedLog {
  readonly #log: EventLog;
  readonly #snapshotPath: string;
  readonly #listeners = new Set<Listener>();
  #state: ProjectState;
  #checkpoint: Checkpoint | undefined;
  /** Of what the log says the same as the snapshot did. `undefined`: all came from the log. */
  #confirmed: { readonly streams: Set<string>; usage: boolean } | undefined;
  /** Nobody has seen the state yet, so that its streams may sleep. */
  #isUnseen = true;
  /** By stream, up to which version the state has events that reading did not bring yet. */
  readonly #ahead = new Map<string, number>();
  #snapshotAt: number;
  /** Counts the folds: who followed an earlier one may be ahead of this one. */
  #fold = 0;
  #reading: Promise<void> = Promise.resolve();
  /** The read that has not begun. */
  #next: Promise<void> | undefined;
  #following: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  /** Why the log could not be read when it was tried last. */
  #failure: unknown;
  /** Ends the pause before the next try. */
  #followAgain: (() => void) | undefined;
  /** What was folded is no longer in the log. */
  #replaced: CliffordError | undefined;
  readonly #closing = new AbortController();

  /** Goes on from the snapshot in a file, if there is one, and keeps later ones there. */
  constructor(log: EventLog, snapshotPath: string) {
    this.#log = log;
    this.#snapshotPath = snapshotPath;
    const folded = loadSnapshot(snapshotPath, (stream) => this.#unreadable(stream));
    this.#state = folded?.state ?? createProjectState();
    this.#checkpoint = folded?.checkpoint;
    this.#confirmed = folded && { streams: new Set(), usage: false };
    this.#snapshotAt = folded?.checkpoint.events ?? 0;
  }

  /** The state as far as the log has been read. Changes in place when events arrive. */
  get state(): ProjectState {
    return this.#state;
  }

  /**
   * Folds what was appended since the last look, by whomever. Whoever comes before it begins shares it.
   *
   * @throws {CliffordError} `LOG_REPLACED`, or why the log cannot be read.
   */
  async refresh(): Promise<ProjectState> {
    this.#next ??= this.#inTurn(() => {
      this.#next = undefined;
      return this.#catchUp();
    });
    await this.#next;
    return this.#state;
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
      if (this.#versionOf(stream) >= version) return;
      const isOver = this.#closing.signal.aborted || performance.now() >= deadline;
      if (isOver || (trouble && !mayPass(trouble.error))) return this.#foldAhead(stream, appended);
      await sleep(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  /**
   * Reads from the log what it says of `stream` and of what humans granted, once for each stream, if that was only taken
   * from a snapshot; with `usage` also what agents used and may use, in the same reading. If the snapshot says anything
   * else, nothing of it counts: the whole log is folded.
   */
  async confirm(stream: string, { usage = false }: ConfirmOptions = {}): Promise<ProjectState> {
    const confirmed = this.#confirmed;
    const isKnown = !confirmed || (confirmed.streams.has(stream) && (confirmed.usage || !usage));
    if (!isKnown) await this.#inTurn(() => this.#compare(stream, usage));
    return this.#state;
  }

  /**
   * Calls `listener` after each batch of new events until the returned function is called. When the
   * log cannot be read any more it is called without events, and {@link refresh} rejects; it is called again
   * once the log can be read, unless that is another one.
   */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) void this.#unfollow();
    };
  }

  /**
   * Waits until `probe` returns something but `undefined`, and returns that.
   *
   * @throws the signal's reason when it aborts; the log's error when it cannot be read any more;
   *   `PROJECT_CLOSED`.
   */
  async until<T>(
    probe: (state: ProjectState) => T | undefined,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> {
    const ending = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    ending.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const look = () => {
      if (this.#failure !== undefined) return reject(this.#failure);
      try {
        const found = probe(this.#state);
        if (found !== undefined) resolve(found);
      } catch (error) {
        reject(error);
      }
    };
    const abort = () => reject(ending.reason);
    const unsubscribe = this.subscribe(look);
    ending.addEventListener('abort', abort, { once: true });
    try {
      this.refresh().then(look, reject);
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
    await this.#unfollow();
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
      if (isStale(error) && !this.#isUnseen) await this.#readRestored(error);
      else if (isStale(error) || this.#confirmed) {
        // The snapshot is of another log; or whatever is wrong may be wrong with the snapshot.
        this.#forget();
        await this.#readOn();
      } else throw error;
    }
    this.#failure = undefined;
    this.#followAgain?.();
    // What others appended meanwhile came before it: in the log, the order is another one.
    if (this.#hasCaughtUp()) return this.#foldAnew();
    const checkpoint = this.#checkpoint;
    if (!checkpoint || this.#ahead.size > 0) return;
    const enough = Math.max(SNAPSHOT_EVERY_EVENTS, checkpoint.events * SNAPSHOT_EVERY_SHARE);
    if (checkpoint.events - this.#snapshotAt < enough) return;
    this.#snapshotAt = checkpoint.events;
    await saveSnapshot(this.#snapshotPath, { state: this.#state, checkpoint });
  }

  /** Folds what the log has and does not show, unless something that it does not show either comes before it. */
  #foldAhead(stream: string, appended: readonly StoredEvent[]): void {
    const fresh = appended.filter(({ streamversion }) => streamversion > this.#versionOf(stream));
    if (fresh[0]?.streamversion !== this.#versionOf(stream) + 1) return;
    for (const event of fresh) applyEvent(this.#state, event);
    this.#ahead.set(stream, this.#versionOf(stream));
    this.#tell(fresh);
  }

  /** Whether reading has come to all that was folded ahead of it. */
  #hasCaughtUp(): boolean {
    const heads = this.#checkpoint?.heads ?? {};
    return (
      this.#ahead.size > 0 &&
      [...this.#ahead].every(([stream, version]) => (heads[stream]?.version ?? 0) >= version)
    );
  }

  #versionOf(stream: string): number {
    return this.#state.streams.get(stream)?.version ?? 0;
  }

  /** The log is not the one that was folded: it was replaced, or the snapshot was another's. */
  #forget(): void {
    this.#state = createProjectState();
    this.#checkpoint = undefined;
    this.#confirmed = undefined;
    this.#isUnseen = true;
    this.#ahead.clear();
    this.#snapshotAt = 0;
    this.#fold += 1;
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

  async #readOn(): Promise<void> {
    const read = await this.#readInto(this.#state, { after: this.#checkpoint, isUnseen: this.#isUnseen });
    this.#isUnseen = false;
    if (read) this.#reached(read);
  }

  /** Folds what the log has after a checkpoint. Returns where that ends; `undefined`: there was nothing. */
  async #readInto(
    state: ProjectState,
    { after, isUnseen, news }: { after: Checkpoint | undefined; isUnseen: boolean; news?: StoredEvent[] },
  ): Promise<Checkpoint | undefined> {
    let last: EventBatch | undefined;
    for await (const batch of this.#log.read(after ? { after } : {})) {
      const fresh = applyNew(state, batch.events);
      if (news) news.push(...fresh.filter((event) => isNewTo(this.#state, event)));
      else if (fresh.length > 0) this.#tell(fresh);
      // A long history does not fit into memory awake.
      if (isUnseen) {
        compressEndedStreams(state, new Set(batch.events.map(({ subject }) => streamOf(subject))));
        capYoungGeneration();
      }
      last = batch;
    }
    return last?.checkpoint();
  }

  /** Whether the log says of `stream`, and of what is the same for all, what the snapshot did. If not, the log counts. */
  async #compare(stream: string, withUsage: boolean): Promise<void> {
    const confirmed = this.#confirmed;
    if (!confirmed) return;
    const isSame = await this.#saysTheSame(stream, withUsage);
    // Something else may have found the snapshot out meanwhile.
    if (this.#confirmed !== confirmed) return;
    if (!isSame) return this.#foldAnew();
    confirmed.streams.add(stream);
    confirmed.usage ||= withUsage;
  }

  async #saysTheSame(stream: string, withUsage: boolean): Promise<boolean> {
    const logged = emptyStreamFold();
    try {
      // While this was read the follower may have brought more: then that is read, too.
      for (let after: Checkpoint | undefined; ;) {
        const until = this.#checkpoint;
        if (until !== after) await foldStream(this.#log, logged, { stream, after, until, withUsage });
        if (until !== this.#checkpoint) {
          after = until;
          continue;
        }
        const isSame = isSameSprint(this.#state.streams.get(stream), logged.state.streams.get(stream));
        if (!isSame || !isSamePolicy(this.#state, logged.state)) return false;
        return !withUsage || isSameUsage(this.#state, logged);
      }
    } catch {
      // What is wrong with the log, if it is the log, the whole fold says.
      return false;
    }
  }

  /** A stream of the snapshot that is no stream: nothing of the snapshot counts. Until that is known it has no events. */
  #unreadable(stream: string): SprintState {
    const confirmed = this.#confirmed;
    this.#inTurn(async () => {
      if (confirmed && this.#confirmed === confirmed) await this.#foldAnew();
    }).catch(() => undefined);
    return createSprintState(stream);
  }

  /** Folds the whole log beside the state, which may be followed meanwhile, and then puts it in its place. */
  async #foldAnew(): Promise<void> {
    const state = createProjectState();
    const news: StoredEvent[] = [];
    const checkpoint = await this.#readInto(state, { after: undefined, isUnseen: true, news });
    this.#forget();
    this.#state = state;
    this.#checkpoint = checkpoint;
    // Without news, too: what was seen before was wrong.
    this.#tell(news);
    await this.#catchUp();
  }

  #reached(checkpoint: Checkpoint): void {
    if (checkpoint.events > (this.#checkpoint?.events ?? -1)) this.#checkpoint = checkpoint;
  }

  #tell(events: readonly StoredEvent[]): void {
    for (const listener of this.#listeners) listener(events, this.#state);
  }

  #follow(): void {
    if (this.#following) return;
    const stop = new AbortController();
    this.#failure = undefined;
    this.#following = { stop, done: this.#followUntil(stop.signal) };
  }

  async #followUntil(signal: AbortSignal): Promise<void> {
    let pauseMs = SHORTEST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        await this.#followOn(signal);
        pauseMs = SHORTEST_PAUSE_MS;
      } catch (error) {
        const isNews = this.#failure === undefined;
        this.#failure = error;
        if (isNews) this.#tell([]);
        if (error === this.#replaced) return;
        await this.#pause(pauseMs, signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Waits until the log may be read again: it changed, somebody could read it, or the time has come. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    this.#followAgain = () => over.abort();
    const timer = setTimeout(() => over.abort(), ms);
    try {
      await sleep(SHORTEST_PAUSE_MS, undefined, { signal: either }).catch(() => undefined);
      await this.#log.changed({ signal: either });
    } finally {
      clearTimeout(timer);
      this.#followAgain = undefined;
    }
  }

  /** Follows until the signal aborts, or what was read is not there any more: reading on says what that means. */
  async #followOn(signal: AbortSignal): Promise<void> {
    await this.refresh();
    const after = this.#checkpoint;
    const fold = this.#fold;
    try {
      for await (const batch of this.#log.follow({ signal, ...(after ? { after } : {}) })) {
        if (fold !== this.#fold) return;
        const fresh = applyNew(this.#state, batch.events);
        if (fresh.length > 0) this.#tell(fresh);
        this.#reached(batch.checkpoint());
      }
    } catch (error) {
      if (isStale(error)) return;
      if (this.#confirmed === undefined) throw error;
      await this.#inTurn(() => this.#foldAnew());
    }
  }

  async #unfollow(): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    following?.stop.abort();
    await following?.done;
  }
}

/** Applies what is new, and returns it. The follower and a refresh may both bring an event; the first counts. */
function applyNew(state: ProjectState, events: readonly StoredEvent[]): StoredEvent[] {
  const fresh: StoredEvent[] = [];
  for (const event of events) {
    if (!isNewTo(state, event)) continue;
    applyEvent(state, event);
    fresh.push(event);
  }
  return fresh;
}

/** Whether a state has not come to an event yet. */
function isNewTo({ streams }: ProjectState, { subject, streamversion }: StoredEvent): boolean {
  return streamversion > (streams.get(streamOf(subject))?.version ?? 0);
}

/**
 * Whether a state says what the log does of what agents may use. A limit that may last is never taken from a snapshot:
 * whether it does follows from all that agents did since, in any stream.
 */
function isSameUsage(state: ProjectState, logged: StreamFold): boolean {
  const now = Date.now();
  const mayBeLimited = logged.limitedUntil > now || state.limits.some((limit) => limitEnd(limit) > now);
  return !mayBeLimited && isSameSpending(state, logged.state);
}

function projectClosed(): CliffordError {
  return new CliffordError('Cannot wait for the log: the project was closed', {
    code: 'PROJECT_CLOSED',
    fix: 'Open the project again',
    recovery: 'reopen',
  });
}

/** Whether a log that could not be read may be read when it is tried again. */
function mayPass(error: unknown): boolean {
  return error instanceof CliffordError && error.recovery === 'retry';
}

function isStale(error: unknown): error is CliffordError {
  return error instanceof CliffordError && error.code === 'CHECKPOINT_STALE';
}
