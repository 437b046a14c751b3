import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import type { Project } from '../project/project.ts';

/** Events that are kept of a stream, unless it is said otherwise, and looked at of its past. */
export const MOST_EVENTS = 5_000;

/** The newest events of a stream, for looking at: read from the log once, when they are asked for first, then followed. */
export class RecentEvents {
  readonly #project: Project;
  readonly #stream: string;
  readonly #most: number;
  #events: StoredEvent[] = [];
  #reading: Promise<void> | undefined;
  #stop = () => {};
  #isClosed = false;

  /** @param most - As many are kept. */
  constructor(project: Project, stream: string, { most = MOST_EVENTS }: { most?: number } = {}) {
    this.#project = project;
    this.#stream = stream;
    this.#most = most;
  }

  /**
   * The newest events, in order: of those that are kept so many at most.
   *
   * @throws {CliffordError} as reading the log does.
   */
  async read(most = this.#most): Promise<readonly StoredEvent[]> {
    this.#reading ??= this.#begin();
    await this.#reading;
    return most < this.#events.length ? this.#events.slice(-most) : this.#events;
  }

  /** Follows the log no longer. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  async #begin(): Promise<void> {
    const { state, log } = this.#project;
    const meanwhile: StoredEvent[] = [];
    this.#stop = this.#project.subscribe((events) => meanwhile.push(...events));
    try {
      const version = state.streams.get(this.#stream)?.version ?? 0;
      const fromVersion = Math.max(1, version - this.#most + 1);
      for await (const { events } of log.read({ stream: this.#stream, fromVersion })) this.#take(events);
      this.#take(meanwhile);
    } catch (error) {
      this.#reading = undefined;
      this.#events = [];
      throw error;
    } finally {
      this.#stop();
    }
    if (!this.#isClosed) this.#stop = this.#project.subscribe((events) => this.#take(events));
  }

  /** Each once, in the order of the stream. The list is made anew: whoever has the one before keeps it as it was. */
  #take(events: readonly StoredEvent[]): void {
    const last = this.#events.at(-1)?.streamversion ?? 0;
    const more = events.filter(
      ({ subject, streamversion }) => streamOf(subject) === this.#stream && streamversion > last,
    );
    if (more.length > 0) this.#events = [...this.#events, ...more].slice(-this.#most);
  }
}

/** Whether these are all events of a stream, and not only the newest. */
export function isAll(events: readonly StoredEvent[]): boolean {
  return (events[0]?.streamversion ?? 1) === 1;
}
