import { capYoungGeneration } from '../../lib/processes/young-generation.ts';
import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import type { Checkpoint, EventBatch, EventLog } from '../../events/log/event-log.ts';
import { applyEvent } from '../../machines/fold.ts';
import { createProjectState, type ProjectState } from '../../machines/project-state.ts';
import { compressEndedStreams } from './compressed-stream.ts';
import type { Folded } from './snapshot-cache.ts';

/** A state, and how far the log has been folded into it: by reading, by following, or ahead of both. */
export class LogFold {
  readonly state: ProjectState;
  #checkpoint: Checkpoint | undefined;
  /** It was not read to the end yet, so that nobody has seen it, and its streams may be compressed. */
  #isUnseen = true;
  /** By stream, up to which version the state has events that reading did not bring yet. */
  readonly #ahead = new Map<string, number>();

  /** Goes on from a snapshot; without one from the beginning. */
  constructor(folded?: Folded) {
    this.state = folded?.state ?? createProjectState();
    this.#checkpoint = folded?.checkpoint;
  }

  /** Up to where all of the log is folded. `undefined`: nothing is. */
  get checkpoint(): Checkpoint | undefined {
    return this.#checkpoint;
  }

  get isUnseen(): boolean {
    return this.#isUnseen;
  }

  get isAhead(): boolean {
    return this.#ahead.size > 0;
  }

  /** Whether reading has come to all that was folded ahead of it. */
  get hasCaughtUp(): boolean {
    const heads = this.#checkpoint?.heads ?? {};
    return [...this.#ahead].every(([stream, version]) => (heads[stream]?.version ?? 0) >= version);
  }

  /** The version of a stream's newest event that is folded, 0 when it has none. */
  versionOf(stream: string): number {
    return this.state.streams.get(stream)?.version ?? 0;
  }

  /** Whether an event is not folded yet. */
  isNew({ subject, streamversion }: StoredEvent): boolean {
    return streamversion > this.versionOf(streamOf(subject));
  }

  /**
   * Folds what the log has after the checkpoint. `tell` is called with the new events of each batch.
   *
   * @throws {CliffordError} why the log cannot be read; what came before that is folded.
   */
  async readOn(log: Pick<EventLog, 'read'>, tell: (events: readonly StoredEvent[]) => void): Promise<void> {
    const after = this.#checkpoint;
    let last: EventBatch | undefined;
    for await (const batch of log.read(after ? { after } : {})) {
      const fresh = this.#apply(batch.events);
      if (fresh.length > 0) tell(fresh);
      // A long history fits into memory only compressed.
      if (this.#isUnseen) {
        compressEndedStreams(this.state, new Set(batch.events.map(({ subject }) => streamOf(subject))));
        capYoungGeneration();
      }
      last = batch;
    }
    this.#isUnseen = false;
    if (last) this.#reach(last.checkpoint());
  }

  /** Folds a batch that somebody who follows has got. Returns what is new of it. */
  take(batch: EventBatch): readonly StoredEvent[] {
    const fresh = this.#apply(batch.events);
    this.#reach(batch.checkpoint());
    return fresh;
  }

  /**
   * Folds what the log has and does not show, unless something that it does not show either comes before it. Returns what
   * is new of it. What others appended meanwhile may come before it in the log: once reading has caught up, the log has to
   * be folded anew.
   */
  goAhead(stream: string, appended: readonly StoredEvent[]): readonly StoredEvent[] {
    const fresh = appended.filter((event) => this.isNew(event));
    if (fresh[0]?.streamversion !== this.versionOf(stream) + 1) return [];
    for (const event of fresh) applyEvent(this.state, event);
    this.#ahead.set(stream, this.versionOf(stream));
    return fresh;
  }

  /** Reading and following may both bring an event; the first counts. */
  #apply(events: readonly StoredEvent[]): StoredEvent[] {
    const fresh: StoredEvent[] = [];
    for (const event of events) {
      if (!this.isNew(event)) continue;
      applyEvent(this.state, event);
      fresh.push(event);
    }
    return fresh;
  }

  #reach(checkpoint: Checkpoint): void {
    if (checkpoint.events > (this.#checkpoint?.events ?? -1)) this.#checkpoint = checkpoint;
  }
}
