import { CliffordError } from '../../errors.ts';
import type { EventType } from '../catalog.ts';
import type { NewEvent, StoredEvent } from '../envelope.ts';

/** The version a stream must have for an append to happen, or `'any'`. 0: the stream is empty. */
export type ExpectedVersion = number | 'any';

/** The newest event of a stream: its version and the hash of its line. */
export type StreamHead = { readonly version: number; readonly hash: string };

/** Where a reader stands: everything before it has been read and its chain checked. JSON. */
export type Checkpoint = {
  /** Where that is. Only the log that made it reads it; two of one log are equal where they name the same place. */
  readonly token: string;
  /** How many events lie before it. */
  readonly events: number;
  readonly heads: Readonly<Record<string, StreamHead>>;
};

/** Events in log order, and how to go on after them. */
export type EventBatch = {
  readonly events: readonly StoredEvent[];
  /** Costs a copy of the heads: ask for it when you mean to keep it. */
  readonly checkpoint: () => Checkpoint;
};

/** Where a selection stands: what comes before it has been selected. JSON. Of the heads it has that of its stream alone. */
export type Bookmark = Pick<Checkpoint, 'token' | 'heads'>;

/** Selected events, in log order: so many as an engine finds in one step. */
export type SelectedBatch = {
  /** None, where it had to pass over a long part of the log. */
  readonly events: readonly StoredEvent[];
  /** Where the batch ends. Ask for it before the next one is. */
  readonly bookmark: () => Bookmark;
};

/** Under which condition to append. */
export type AppendOptions = {
  readonly expectedVersion: ExpectedVersion;
  /**
   * An append of the same events, with the same ids, ended with {@link OutcomeUnknownError}. If they are there they are
   * returned, whatever the version of the stream is now; else they are appended, once.
   */
  readonly isRetry?: boolean;
};

/** Which events to read. Versions count within `stream`, both ends included. */
export type ReadOptions = {
  stream?: string;
  fromVersion?: number;
  toVersion?: number;
  /** Read only what came after. Default: from the beginning. */
  after?: Checkpoint;
};

/** The events of one stream, and those of some types in any stream, between two checkpoints, or bookmarks of that stream. */
export type Selection = {
  readonly stream: string;
  /** Default: none. */
  readonly types?: ReadonlySet<EventType> | undefined;
  /** Default: from the beginning. */
  readonly after?: Bookmark | undefined;
  /** Default: what is there now. */
  readonly until?: Bookmark | undefined;
};

/**
 * An append-only log of streams. One contract, one test suite (test/events/log/event-log-contract.ts), several engines: a
 * file shared by the processes of a machine, a server shared by machines.
 *
 * What every engine has from `line/`, above its store: events are checked and redacted before they are written, and each
 * line's schema and its place in the chain of its stream when it is read; old data is brought up to date.
 *
 * Every reader gets the same events in the same order, each once. Where the log is far away, reading may lag behind
 * appending, one's own, too: what is read is the log up to some event, later more of it.
 */
export type EventLog = {
  /**
   * Appends `events` to the end of `stream`: all of them or none, after a crash, too. Resolves once
   * they are durable.
   *
   * @throws {ConflictError} when the stream is not at `expectedVersion`; nothing is written.
   * @throws {OutcomeUnknownError} when it cannot be said whether they were written, or will be: append them again with
   *   {@link AppendOptions.isRetry}.
   * @throws {CliffordError} `EVENT_INVALID` when an event does not fit its schema or stream; `LOG_REPLACED` when what
   *   this handle has read or written is no longer there; any other, with recovery `retry`, when the engine could not
   *   write for now. Nothing is written.
   */
  append(
    stream: string,
    events: readonly NewEvent[],
    options: AppendOptions,
  ): Promise<readonly StoredEvent[]>;

  /**
   * What is in the log now, in order, in batches.
   *
   * @throws {CliffordError} `LOG_CORRUPT`, `LOG_NEWER`, or `CHECKPOINT_STALE` when `after` does not
   *   belong to this log: read from the beginning.
   */
  read(options?: ReadOptions): AsyncIterable<EventBatch>;

  /**
   * Some events of the log, in order. Only the chain of `stream` is checked: an engine skips what is not asked for as
   * fast as it can.
   *
   * @throws {CliffordError} as {@link EventLog.read} does.
   */
  select(selection: Selection): AsyncIterable<SelectedBatch>;

  /** Every event after `after` once, in order: what is there, then what comes, until `signal` aborts. */
  follow(options: { after?: Checkpoint; signal: AbortSignal }): AsyncIterable<EventBatch>;

  /** Resolves when the log may have changed since the call, or when `signal` aborts. */
  changed(options: { signal: AbortSignal }): Promise<void>;

  /** The version of a stream's newest event, 0 when it has none. */
  head(stream: string): Promise<number>;

  /** Waits for appends under way and releases what is held. Safe to call twice. */
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
