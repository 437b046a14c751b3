import { streamOf } from '../../events/envelope.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { Checkpoint, EventBatch, EventLog } from '../../events/event-log.ts';
import { CliffordError } from '../../errors.ts';
import { applyEvent } from '../../machines/fold.ts';
import { createProjectState } from '../../machines/project-state.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { compressEndedStreams } from './sleeping-stream.ts';
import { saveSnapshot } from './snapshot-cache.ts';
import type { Folded } from './snapshot-cache.ts';
import { capYoungGeneration } from '../../lib/processes/young-generation.ts';

/** Called after events were folded, with them and the state they led to. */
export type Listener = (events: readonly StoredEvent[], state: ProjectState) => void;

/** Bytes of log that make a new snapshot worth its writing: so many, and a share of what is there. */
const SNAPSHOT_EVERY_BYTES = 256 * 1024;
const SNAPSHOT_EVERY_SHARE = 0.01;

/**
 * A log and the state it folds into. What any process appends arrives by {@link refresh}, or by
 * itself while someone listens or waits.
 */
export class FoldedLog {
  readonly #log: EventLog;
  readonly #snapshotPath: string;
  readonly #listeners = new Set<Listener>();
  #state: ProjectState;
  #checkpoint: Checkpoint | undefined;
  /** Nobody has seen the state yet, so that its streams may sleep. */
  #isUnseen = true;
  #snapshotAt: number;
  #reading: Promise<void> = Promise.resolve();
  /** The read that has not begun. */
  #next: Promise<void> | undefined;
  #following: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #failure: unknown;

  /** Goes on from `folded`, if there is one, and keeps later snapshots at `snapshotPath`. */
  constructor(log: EventLog, snapshotPath: string, folded: Folded | undefined) {
    this.#log = log;
    this.#snapshotPath = snapshotPath;
    this.#state = folded?.state ?? createProjectState();
    this.#checkpoint = folded?.checkpoint;
    this.#snapshotAt = folded?.checkpoint.position ?? 0;
  }

  /** The state as far as the log has been read. Changes in place when events arrive. */
  get state(): ProjectState {
    return this.#state;
  }

  /** Folds what was appended since the last look, by whomever. Whoever comes before it begins shares it. */
  async refresh(): Promise<ProjectState> {
    if (!this.#next) {
      this.#next = this.#reading.then(() => {
        this.#next = undefined;
        return this.#catchUp();
      });
      this.#reading = this.#next.catch(() => undefined);
    }
    await this.#next;
    return this.#state;
  }

  /**
   * Calls `listener` after each batch of new events until the returned function is called. When the
   * log cannot be read any more it is called without events, and {@link refresh} rejects.
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
   * @throws the signal's reason when it aborts; the log's error when it cannot be read any more.
   */
  async until<T>(
    probe: (state: ProjectState) => T | undefined,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> {
    signal?.throwIfAborted();
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
    const abort = () => reject(signal?.reason);
    const unsubscribe = this.subscribe(look);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      this.refresh().then(look, reject);
      return await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
      unsubscribe();
    }
  }

  /** Stops following and waits for what is being read. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#unfollow();
    await this.#reading;
  }

  async #catchUp(): Promise<void> {
    try {
      await this.#readOn();
    } catch (error) {
      if (!isStale(error)) throw error;
      // The log is not the one that was folded: it was replaced, or the snapshot was another's.
      this.#state = createProjectState();
      this.#checkpoint = undefined;
      this.#isUnseen = true;
      await this.#readOn();
    }
    const checkpoint = this.#checkpoint;
    if (!checkpoint) return;
    const enough = Math.max(SNAPSHOT_EVERY_BYTES, checkpoint.position * SNAPSHOT_EVERY_SHARE);
    if (checkpoint.position - this.#snapshotAt < enough) return;
    this.#snapshotAt = checkpoint.position;
    await saveSnapshot(this.#snapshotPath, { state: this.#state, checkpoint });
  }

  async #readOn(): Promise<void> {
    const after = this.#checkpoint;
    let last: EventBatch | undefined;
    for await (const batch of this.#log.read(after ? { after } : {})) {
      this.#apply(batch.events);
      // A long history does not fit into memory awake.
      if (this.#isUnseen) {
        compressEndedStreams(this.#state, new Set(batch.events.map(({ subject }) => streamOf(subject))));
        capYoungGeneration();
      }
      last = batch;
    }
    this.#isUnseen = false;
    if (last) this.#reached(last.checkpoint());
  }

  #reached(checkpoint: Checkpoint): void {
    if (checkpoint.position > (this.#checkpoint?.position ?? -1)) this.#checkpoint = checkpoint;
  }

  /** Applies what is new. The follower and {@link refresh} may both bring an event; the first counts. */
  #apply(events: readonly StoredEvent[]): void {
    const fresh: StoredEvent[] = [];
    for (const event of events) {
      const known = this.#state.streams.get(streamOf(event.subject))?.version ?? 0;
      if (event.streamversion <= known) continue;
      applyEvent(this.#state, event);
      fresh.push(event);
    }
    if (fresh.length > 0) this.#tell(fresh);
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
    try {
      while (!signal.aborted) await this.#followOn(signal);
    } catch (error) {
      this.#failure = error;
      this.#tell([]);
    }
  }

  /** Follows until the signal aborts, or until the log is another one: then it has to be folded anew. */
  async #followOn(signal: AbortSignal): Promise<void> {
    await this.refresh();
    const after = this.#checkpoint;
    try {
      for await (const batch of this.#log.follow({ signal, ...(after ? { after } : {}) })) {
        this.#apply(batch.events);
        this.#reached(batch.checkpoint());
      }
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  }

  async #unfollow(): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    following?.stop.abort();
    await following?.done;
  }
}

function isStale(error: unknown): boolean {
  return error instanceof CliffordError && error.code === 'CHECKPOINT_STALE';
}
