import { CliffordError } from '../errors.ts';
import type { NewEvent, StoredEvent } from './envelope.ts';

/** The version a stream must have for an append to happen, or `'any'`. 0: the stream is empty. */
export type ExpectedVersion = number | 'any';

/** The newest event of a stream: its version and the hash of its line. */
export type StreamHead = { readonly version: number; readonly hash: string };

/**
 * Where a reader stands: everything before it has been read and its chain checked. JSON. Only the
 * log that made it understands it. `proof` is the hash of the last line before `position`.
 */
export type Checkpoint = {
  readonly position: number;
  readonly proof: string;
  readonly heads: Readonly<Record<string, StreamHead>>;
};

/** Events in log order, and how to go on after them. */
export type EventBatch = {
  readonly events: readonly StoredEvent[];
  /** Costs a copy of the heads: ask for it when you mean to keep it. */
  readonly checkpoint: () => Checkpoint;
};

/** Which events to read. Versions count within `stream`, both ends included. */
export type ReadOptions = {
  stream?: string;
  fromVersion?: number;
  toVersion?: number;
  /** Read only what came after. Default: from the beginning. */
  after?: Checkpoint;
};

/**
 * An append-only log of streams. One contract, one test suite, several implementations.
 *
 * Reading checks each line's schema and its place in the chain of its stream.
 */
export type EventLog = {
  /**
   * Appends `events` to the end of `stream`: all of them or none, after a crash, too. Resolves once
   * they are durable.
   *
   * @throws {ConflictError} when the stream is not at `expectedVersion`; nothing is written.
   * @throws {CliffordError} `EVENT_INVALID` when an event does not fit its schema or stream.
   * @throws {CliffordError} `LOG_POISONED` when this or an earlier write failed: what is on disk is
   *   unknown. Reopen and look for the ids.
   * @throws {CliffordError} `LOG_REPLACED` when what this handle has read or written is no longer there.
   */
  append(
    stream: string,
    events: readonly NewEvent[],
    options: { expectedVersion: ExpectedVersion },
  ): Promise<readonly StoredEvent[]>;

  /**
   * What is in the log now, in order, in batches.
   *
   * @throws {CliffordError} `LOG_CORRUPT`, `LOG_NEWER`, or `CHECKPOINT_STALE` when `after` does not
   *   belong to this log: read from the beginning.
   */
  read(options?: ReadOptions): AsyncIterable<EventBatch>;

  /** Every event after `after` once, in order: what is there, then what comes, until `signal` aborts. */
  follow(options: { after?: Checkpoint; signal: AbortSignal }): AsyncIterable<EventBatch>;

  /** Resolves when the log may have changed since the call, or when `signal` aborts. */
  changed(options: { signal: AbortSignal }): Promise<void>;

  /** The version of a stream's newest event, 0 when it has none. */
  head(stream: string): Promise<number>;

  /** Waits for appends under way and releases files. Safe to call twice. */
  close(): Promise<void>;
};

/** The version an append expected its stream to have, and the one it has. */
export type Conflict = { readonly stream: string; readonly expected: number; readonly actual: number };

/** Another writer was first. Read on, decide again from the new state. */
export class ConflictError extends CliffordError {
  override readonly name = 'ConflictError';
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;

  constructor({ stream, expected, actual }: Conflict) {
    super(`Cannot append to stream ${stream}: expected version ${expected}, it is at ${actual}`, {
      code: 'LOG_CONFLICT',
      fix: 'Read the stream again and decide from its newest state',
      recovery: 'retry',
    });
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}
