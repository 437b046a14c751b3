import { CliffordError } from '../../errors.ts';
import { isReplaced } from '../../events/log/log-replaced.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { Project } from '../project/project.ts';
import type { HistoryIndex } from './history-index.ts';
import type { Moment } from './history-of.ts';
import { StreamPast } from './stream-past.ts';
import type { MachineMove, TaskTracks } from './task-tracks.ts';
import { instantOf, outsideText, type Until } from './until.ts';

/** What a cursor needs of a project. */
export type PastOf = Pick<Project, 'log' | 'state' | 'subscribe'>;

/** How to open a cursor. */
export type CursorOptions = {
  /** Ends the opening. */
  readonly signal?: AbortSignal;
  /** Called while the stream is read, with how many of its events are. */
  readonly onProgress?: (events: number) => void;
  /** For tests: with how many events a page is full. */
  readonly pageEvents?: number;
};

/** Pauses before a log that lags is read again, in ms. */
const LAG = { firstMs: 10, longestMs: 1_000 };

/** Events that are looked at in one step of {@link HistoryCursor.find}. */
const FIND_STEP = 256;

/**
 * Opens a cursor in the past of a stream, at its newest event. Reads the stream once; what is appended meanwhile, and
 * later, is followed. Close it.
 *
 * @throws {CliffordError} `NO_HISTORY` for a stream without events; why the log cannot be read. The signal's reason.
 */
export async function openCursor(
  project: PastOf,
  stream: string,
  { signal, onProgress = () => undefined, pageEvents }: CursorOptions = {},
): Promise<HistoryCursor> {
  const past = new StreamPast(project.log, stream, pageEvents);
  await past.readOn(() => {
    signal?.throwIfAborted();
    onProgress(past.index.length);
  });
  if (past.index.length === 0) {
    throw new CliffordError(`Cannot find a history: the log has no events of ${stream}`, {
      code: 'NO_HISTORY',
      fix: 'See which sprints there are with: clifford status',
    });
  }
  const cursor = new HistoryCursor(project, stream, past);
  try {
    await cursor.seek(cursor.length);
  } catch (error) {
    await cursor.close();
    throw error;
  }
  return cursor;
}

/** A place in the past of a stream, while the present goes on. Get one by {@link openCursor}. */
export class HistoryCursor {
  readonly stream: string;
  readonly #project: PastOf;
  readonly #past: StreamPast;
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  #position: Moment | undefined;
  #target = 0;
  #seeking: Promise<Moment> | undefined;
  #growing: Promise<void> | undefined;
  #failure: unknown;
  #lags = 0;
  #lagTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Use {@link openCursor}: `past` has been read. */
  constructor(project: PastOf, stream: string, past: StreamPast) {
    this.stream = stream;
    this.#project = project;
    this.#past = past;
    this.#unsubscribe = project.subscribe(() => this.#grow());
    this.#grow();
  }

  /** When each event happened, and how it stands out. */
  get index(): HistoryIndex {
    return this.#past.index;
  }

  /** Where its tasks went, and who worked on them. */
  get tracks(): TaskTracks {
    return this.#past.tracks;
  }

  /** The transitions that the sprint itself took, in order. */
  get moves(): readonly MachineMove[] {
    return this.#past.moves;
  }

  /** The version of the newest event that is known. */
  get length(): number {
    return this.index.length;
  }

  /** Where it stands. */
  get position(): Moment {
    if (!this.#position) throw new Error('A cursor was used before it was opened');
    return this.#position;
  }

  /** Why the stream could not be read on when that was tried last. `undefined`: it could. */
  get failure(): unknown {
    return this.#failure;
  }

  /** How many states are kept on the way, however long the stream is. */
  get keptStates(): number {
    return this.#past.keptStates;
  }

  /**
   * Goes to a version, or the nearest there is. Returns where it stands then: if it is sent elsewhere meanwhile, there.
   * Nobody changes that state any more: the next place has another one.
   *
   * @throws {CliffordError} `LOG_REPLACED`, or why that part of the log cannot be read; it stands where it stood.
   */
  seek(version: number): Promise<Moment> {
    this.#target = Math.max(1, Math.min(Math.trunc(version), this.length));
    this.#seeking ??= this.#goToTarget();
    return this.#seeking;
  }

  /** The events from a version to another, both included, as far as they are there. */
  events(from: number, to: number): Promise<readonly StoredEvent[]> {
    return this.#past.events(from, to);
  }

  /** The version that a person means; 0: before the first. Later than all: the newest. */
  versionOf(until: Until): number {
    if ('version' in until) return Math.min(until.version, this.length);
    const newest = new Date(this.index.timeOf(this.length)).toISOString();
    return this.index.versionAt(Date.parse(instantOf(until, newest) ?? newest));
  }

  /** What to say where that is not in it; `undefined`: it is. */
  outsideText(until: Until): string | undefined {
    const at = (version: number) => new Date(this.index.timeOf(version)).toISOString();
    return outsideText(until, { length: this.length, firstAt: at(1), lastAt: at(this.length) });
  }

  /**
   * The nearest event beyond `from`, in one direction, that `test` is true of. It looks at every event: of a long
   * stream that takes as long as reading it.
   *
   * @throws as {@link seek}; the signal's reason.
   */
  async find(
    test: (event: StoredEvent) => boolean,
    { from, step, signal }: { readonly from: number; readonly step: 1 | -1; readonly signal?: AbortSignal },
  ): Promise<number | undefined> {
    for (let at = from + step; at >= 1 && at <= this.length; at += step * FIND_STEP) {
      signal?.throwIfAborted();
      const end = at + step * (FIND_STEP - 1);
      const events = await this.events(Math.min(at, end), Math.max(at, end));
      const found = step === 1 ? events.find(test) : events.findLast(test);
      if (found) return found.streamversion;
    }
    return undefined;
  }

  /** Calls `listener` when there are more events, or they cannot be read, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops following. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#unsubscribe();
    clearTimeout(this.#lagTimer);
    await Promise.allSettled([this.#growing, this.#seeking]);
  }

  async #goToTarget(): Promise<Moment> {
    try {
      for (;;) {
        const target = this.#target;
        const moment = await this.#past.moment(target);
        this.#position = moment;
        if (target === this.#target) return moment;
      }
    } finally {
      // In the same turn as it was looked whether there is another target.
      this.#seeking = undefined;
    }
  }

  #grow(): void {
    if (!this.#isClosed && this.#isBehind) this.#growing ??= this.#growOn();
  }

  /** Reads what the project has folded of the stream and this has not. A log that lags, or fails, is tried again. */
  async #growOn(): Promise<void> {
    clearTimeout(this.#lagTimer);
    const [before, failure] = [this.length, this.#failure];
    try {
      for (let known = -1; this.#isBehind && known < this.length;) {
        known = this.length;
        await this.#past.readOn();
      }
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#growing = undefined;
    }
    if (this.#isClosed) return;
    this.#lags = this.length > before ? 0 : this.#lags + 1;
    if (this.#isBehind && !isReplaced(this.#failure)) {
      this.#lagTimer = setTimeout(() => this.#grow(), backoffMs(LAG, this.#lags));
      this.#lagTimer.unref();
    }
    if (this.length === before && this.#failure === failure) return;
    for (const listener of this.#listeners) listener();
  }

  get #isBehind(): boolean {
    return (this.#project.state.streams.get(this.stream)?.version ?? 0) > this.length;
  }
}
