import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { openCursor, type HistoryCursor } from '../../workflow/history/history-cursor.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import type { Project } from '../../workflow/project/project.ts';
import { clamp } from '../text/clamp.ts';

/** A version that is wanted, on the way that began after so many returns to now. */
type Goal = { readonly version: number; readonly returns: number };

type JourneyDeps = {
  readonly project: Project;
  readonly stream: string;
  /** Called with each moment that it gets to. */
  readonly onMoment: (moment: Moment, cursor: HistoryCursor) => void;
};

/** Goes through the past of a stream, which is read when it goes there first. It may be wanted elsewhere on its way. */
export class Journey {
  readonly #deps: JourneyDeps;
  readonly #over = new AbortController();
  readonly #turns = new KeyedQueue();
  #opening: Promise<HistoryCursor> | undefined;
  #cursor: HistoryCursor | undefined;
  /** Where it is going, or stands. */
  #goal: Goal | undefined;
  #travelling: Promise<void> | undefined;
  #moment: Moment | undefined;
  /** Counts the ways back to now: what was on its way before is not shown. */
  #returns = 0;

  constructor(deps: JourneyDeps) {
    this.#deps = deps;
  }

  /** The cursor, once it was needed. */
  get cursor(): HistoryCursor | undefined {
    return this.#cursor;
  }

  /** The moment that it got to last. */
  get moment(): Moment | undefined {
    return this.#moment;
  }

  /** The version that it goes to, or stands at. */
  get goal(): number | undefined {
    return this.#goal?.version;
  }

  get isTravelling(): boolean {
    return this.#travelling !== undefined;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Changes with each return to now. */
  get returns(): number {
    return this.#returns;
  }

  /** Reads the history, the first time. @throws why it cannot be read */
  async open(): Promise<HistoryCursor> {
    const { project, stream } = this.#deps;
    this.#opening ??= openCursor(project, stream, { signal: this.#over.signal });
    try {
      this.#cursor = await this.#opening;
      return this.#cursor;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Goes to a version. Resolves when it stands where it is wanted then. */
  async seek(cursor: HistoryCursor, version: number): Promise<void> {
    this.#goal = { version: clamp(version, 1, cursor.length), returns: this.#returns };
    this.#travelling ??= this.#followGoal(cursor);
    return this.#travelling;
  }

  /** How it was at two versions; `undefined`: it was sent elsewhere meanwhile. */
  async both(from: number, to: number): Promise<readonly [Moment, Moment] | undefined> {
    const cursor = await this.open();
    const goal = this.#goal;
    const both = await this.#turns.take(
      'seek',
      async () => [await cursor.seek(from), await cursor.seek(to)] as const,
    );
    return this.#goal === goal ? both : undefined;
  }

  /** It is now again. */
  return(): void {
    this.#returns += 1;
    this.#goal = undefined;
  }

  async close(): Promise<void> {
    this.#over.abort();
    const cursor = await this.#opening?.catch(() => undefined);
    await cursor?.close();
  }

  /** Goes where it is wanted, and shows each moment that it gets to: it may be wanted elsewhere by then. */
  async #followGoal(cursor: HistoryCursor): Promise<void> {
    try {
      for (let goal = this.#goal; goal && !this.isOver; goal = this.#goal) {
        const { version, returns } = goal;
        const moment = await this.#turns.take('seek', () => cursor.seek(version));
        if (this.#goal?.returns !== returns) continue;
        this.#arrive(moment, cursor);
        if (this.#goal === goal) return;
      }
    } finally {
      // At once: what is wanted from now on is no part of this way any more.
      this.#travelling = undefined;
    }
  }

  #arrive(moment: Moment, cursor: HistoryCursor): void {
    if (this.isOver) return;
    this.#moment = moment;
    this.#deps.onMoment(moment, cursor);
  }
}
