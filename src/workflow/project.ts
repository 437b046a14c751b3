import { join } from 'node:path';
import type { EventLog, EventBatch, Checkpoint } from '../events/event-log.ts';
import { ConflictError } from '../events/event-log.ts';
import { newEvent, streamOf } from '../events/envelope.ts';
import type { Source, StoredEvent } from '../events/envelope.ts';
import { openJsonlLog } from '../events/jsonl/jsonl-log.ts';
import { createRedactor } from '../events/redaction.ts';
import { CliffordError } from '../errors.ts';
import { applyEvent } from '../machines/fold.ts';
import type { Candidate } from '../machines/legality.ts';
import { createProjectState } from '../machines/project-state.ts';
import type { ProjectState } from '../machines/project-state.ts';
import { decide } from './decide.ts';
import { STATE_DIR } from './project-root.ts';
import { writeProjections } from './projections/write-projections.ts';
import { loadSnapshot, saveSnapshot } from './snapshot-cache.ts';

/** Called after events were folded, with them and the state they led to. */
export type Listener = (events: readonly StoredEvent[], state: ProjectState) => void;

/** Bytes of log that make a new snapshot worth its writing. */
const SNAPSHOT_EVERY_BYTES = 256 * 1024;

/**
 * A project: its log, folded, and the only door for decisions about it.
 *
 * Several processes have the same project open. What they append arrives here by {@link refresh},
 * or by itself while someone listens or waits.
 */
export class Project {
  readonly root: string;
  /** `.clifford`, absolute. */
  readonly dir: string;
  readonly #log: EventLog;
  readonly #source: Source;
  readonly #listeners = new Set<Listener>();
  #state: ProjectState;
  #checkpoint: Checkpoint | undefined;
  #snapshotAt: number;
  #reading: Promise<void> = Promise.resolve();
  #following: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #failure: unknown;

  /** Use {@link openProject}. */
  constructor(parts: {
    root: string;
    log: EventLog;
    source: Source;
    state: ProjectState;
    checkpoint: Checkpoint | undefined;
  }) {
    this.root = parts.root;
    this.dir = join(parts.root, STATE_DIR);
    this.#log = parts.log;
    this.#source = parts.source;
    this.#state = parts.state;
    this.#checkpoint = parts.checkpoint;
    this.#snapshotAt = parts.checkpoint?.position ?? 0;
  }

  /** The log, for readers of history. Append through {@link dispatch} and {@link record}. */
  get log(): Pick<EventLog, 'read' | 'follow' | 'head'> {
    return this.#log;
  }

  /** The state as far as the log has been read. Changes in place when events arrive. */
  get state(): ProjectState {
    return this.#state;
  }

  /** Folds what was appended since the last look, by whomever. */
  async refresh(): Promise<ProjectState> {
    const read = this.#reading.then(() => this.#catchUp());
    this.#reading = read.catch(() => undefined);
    await read;
    return this.#state;
  }

  /**
   * Decides on the newest state and appends what was decided, all of it or nothing. When another
   * process was faster, `choose` is asked again with what it did. No candidates: nothing happens.
   *
   * Returns when the events are durable, folded here, and the projections they change are written.
   *
   * @throws {IllegalDecision} when a machine refuses; nothing was appended.
   */
  async dispatch(
    stream: string,
    choose: (state: ProjectState) => readonly Candidate[],
  ): Promise<readonly StoredEvent[]> {
    for (;;) {
      const state = await this.refresh();
      const candidates = choose(state);
      if (candidates.length === 0) return [];
      const events = decide(state, this.#source, stream, candidates);
      const expectedVersion = state.streams.get(stream)?.version ?? 0;
      try {
        const stored = await this.#log.append(stream, events, { expectedVersion });
        await this.refresh();
        await writeProjections(this, stored);
        return stored;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
      }
    }
  }

  /** Records facts that happened whatever the state. Durable when it returns. */
  async record(stream: string, facts: readonly Candidate[]): Promise<readonly StoredEvent[]> {
    const events = facts.map((fact) => newEvent(this.#source, fact));
    const stored = await this.#log.append(stream, events, { expectedVersion: 'any' });
    await this.refresh();
    return stored;
  }

  /** Calls `listener` after each batch of new events, own or foreign, until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) void this.#unfollow();
    };
  }

  /**
   * Waits until the state satisfies `probe`, woken by the log, and returns what it returned.
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

  /** Stops following and closes the log. Safe to call twice. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#unfollow();
    await this.#reading;
    await this.#log.close();
  }

  async #catchUp(): Promise<void> {
    try {
      await this.#readOn();
    } catch (error) {
      if (!(error instanceof CliffordError) || error.code !== 'CHECKPOINT_STALE') throw error;
      // The log is not the one that was folded: it was replaced, or the snapshot was another's.
      this.#state = createProjectState();
      this.#checkpoint = undefined;
      await this.#readOn();
    }
    if (this.#checkpoint && this.#checkpoint.position - this.#snapshotAt >= SNAPSHOT_EVERY_BYTES) {
      this.#snapshotAt = this.#checkpoint.position;
      await saveSnapshot(snapshotPath(this.dir), { state: this.#state, checkpoint: this.#checkpoint });
    }
  }

  async #readOn(): Promise<void> {
    const after = this.#checkpoint;
    let last: EventBatch | undefined;
    for await (const batch of this.#log.read(after ? { after } : {})) {
      this.#apply(batch.events);
      last = batch;
    }
    if (last) this.#reached(last.checkpoint());
  }

  #reached(checkpoint: Checkpoint): void {
    if (checkpoint.position > (this.#checkpoint?.position ?? -1)) this.#checkpoint = checkpoint;
  }

  /** Applies what is new. The follower and {@link refresh} may both bring an event; the first counts. */
  #apply(events: readonly StoredEvent[]): void {
    const fresh = events.filter((event) => {
      const known = this.#state.streams.get(streamOf(event.subject))?.version ?? 0;
      const isNew = event.streamversion > known;
      if (isNew) applyEvent(this.#state, event);
      return isNew;
    });
    if (fresh.length === 0) return;
    for (const listener of this.#listeners) listener(fresh, this.#state);
  }

  #follow(): void {
    if (this.#following) return;
    const stop = new AbortController();
    this.#following = { stop, done: this.#followUntil(stop.signal) };
  }

  async #followUntil(signal: AbortSignal): Promise<void> {
    try {
      await this.refresh();
      if (signal.aborted) return;
      const after = this.#checkpoint;
      for await (const batch of this.#log.follow({ signal, ...(after ? { after } : {}) })) {
        this.#apply(batch.events);
        this.#reached(batch.checkpoint());
      }
    } catch (error) {
      this.#failure = error;
      for (const listener of this.#listeners) listener([], this.#state);
    }
  }

  async #unfollow(): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    following?.stop.abort();
    await following?.done;
  }
}

/**
 * Opens a project, folding its log from the last snapshot.
 *
 * @param root - Absolute. `.clifford/` is made with the first event.
 * @param source - Who this process is in the events it records.
 * @throws {CliffordError} `LOG_CORRUPT` or `LOG_NEWER` when the log cannot be read.
 */
export async function openProject({
  root,
  source,
  env,
}: {
  root: string;
  source: Source;
  /** Where secrets to keep out of the log are looked for, usually `process.env`. */
  env: Readonly<Record<string, string | undefined>>;
}): Promise<Project> {
  const dir = join(root, STATE_DIR);
  const folded = await loadSnapshot(snapshotPath(dir));
  const log = await openJsonlLog(join(dir, 'events.jsonl'), {
    redact: createRedactor(env),
    ...(folded ? { seed: folded.checkpoint } : {}),
  });
  const project = new Project({
    root,
    log,
    source,
    state: folded?.state ?? createProjectState(),
    checkpoint: folded?.checkpoint,
  });
  try {
    await project.refresh();
  } catch (error) {
    await project.close();
    throw error;
  }
  return project;
}

function snapshotPath(dir: string): string {
  return join(dir, 'cache', 'state.json');
}
