import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { openCursor, type HistoryCursor } from '../../workflow/history/history-cursor.ts';
import { RecentEvents } from '../../workflow/history/recent-events.ts';
import { TracksOfNow } from '../../workflow/history/task-tracks.ts';
import type { Project } from '../../workflow/project/project.ts';

/** So many sprints are known well, those that were looked at last. */
const MOST_SPRINTS = 4;

type Known = {
  readonly recent: RecentEvents;
  readonly tracks: TracksOfNow;
  cursor: Promise<HistoryCursor> | undefined;
};

/** The pasts of sprints that somebody looks at. Each is read once, and followed while it is looked at. */
export class Histories {
  readonly #project: Project;
  /** Those that were asked for last at the end. */
  readonly #known = new Map<string, Known>();
  readonly #queue = new KeyedQueue();

  constructor(project: Project) {
    this.#project = project;
  }

  /** Its newest events. */
  recent(sprint: string): RecentEvents {
    return this.#of(sprint).recent;
  }

  /** Where its tasks went, and who worked on them. */
  tracks(sprint: string): TracksOfNow {
    return this.#of(sprint).tracks;
  }

  /**
   * Works on the past of a sprint, one after the other: a cursor stands at one place at a time.
   *
   * @throws {CliffordError} `NO_HISTORY`, and why the log cannot be read.
   */
  async withCursor<T>(sprint: string, work: (cursor: HistoryCursor) => Promise<T>): Promise<T> {
    const known = this.#of(sprint);
    known.cursor ??= openCursor(this.#project, sprint);
    const { cursor } = known;
    cursor.catch(() => (known.cursor = undefined));
    const opened = await cursor;
    return this.#queue.take(sprint, () => work(opened));
  }

  /** Follows nothing any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#known.keys()].map((sprint) => this.#drop(sprint)));
  }

  #of(sprint: string): Known {
    const known = this.#known.get(sprint) ?? {
      recent: new RecentEvents(this.#project, sprint),
      tracks: new TracksOfNow(this.#project.log, sprint),
      cursor: undefined,
    };
    this.#known.delete(sprint);
    this.#known.set(sprint, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_SPRINTS && oldest !== undefined) void this.#drop(oldest);
    return known;
  }

  async #drop(sprint: string): Promise<void> {
    const { recent, cursor } = this.#known.get(sprint) ?? {};
    this.#known.delete(sprint);
    recent?.close();
    // Whoever works with it is let finish first.
    await this.#queue.take(sprint, async () => {
      const opened = await cursor?.catch(() => undefined);
      await opened?.close();
    });
  }
}
