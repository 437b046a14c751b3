import type { StoredEvent } from '../../events/envelope.ts';
import type { Bookmark, EventLog, SelectedBatch } from '../../events/log/event-log.ts';
import { isStale, logReplaced } from '../../events/log/log-replaced.ts';

/** A page is full with so many events, or after so many batches: the events of a quiet stream lie far apart. */
const PAGE_EVENTS = 256;
const PAGE_BATCHES = 16;
/** So many pages are kept when they were read. */
const READ_PAGES = 6;

/** A page: its first version, and its places in the log. Between two of them nothing of the stream may be for long. */
type Page = { readonly first: number; readonly after: Bookmark | undefined; readonly until?: Bookmark };

/** A stream of a log, divided so that any part of it can be read without what comes before. */
export class HistoryPages {
  readonly #log: Pick<EventLog, 'select'>;
  readonly #stream: string;
  readonly #pageEvents: number;
  /** The last one is not full, and has no end. */
  readonly #pages: Page[] = [{ first: 1, after: undefined }];
  /** The events of the last page. */
  #tail: StoredEvent[] = [];
  #tailBatches = 0;
  #end: Bookmark | undefined;
  /** What was read of full pages, the latest last. */
  readonly #read = new Map<number, Promise<readonly StoredEvent[]>>();

  constructor(log: Pick<EventLog, 'select'>, stream: string, pageEvents = PAGE_EVENTS) {
    this.#log = log;
    this.#stream = stream;
    this.#pageEvents = pageEvents;
  }

  /** What the log has of the stream, and the pages do not: to be added batch by batch. */
  async *fresh(): AsyncGenerator<SelectedBatch> {
    try {
      yield* this.#log.select({ stream: this.#stream, after: this.#end });
    } catch (error) {
      throw isStale(error) ? logReplaced(error) : error;
    }
  }

  /** Adds a batch. Returns whether a new page begins after it. */
  add({ events, bookmark }: SelectedBatch): boolean {
    for (const event of events) this.#tail.push(event);
    this.#tailBatches += 1;
    const end = bookmark();
    this.#end = end;
    if (this.#tail.length < this.#pageEvents && this.#tailBatches < PAGE_BATCHES) return false;
    const page = this.#pages.pop() ?? { first: 1, after: undefined };
    const isEmpty = this.#tail.length === 0;
    // Nothing of the stream is there: the page begins later.
    if (!isEmpty) this.#pages.push({ ...page, until: end });
    this.#pages.push({ first: page.first + this.#tail.length, after: end });
    this.#tail = [];
    this.#tailBatches = 0;
    return !isEmpty;
  }

  /** The last page. */
  get lastPage(): number {
    return this.#pages.length - 1;
  }

  /** The first version of a page. */
  firstOf(page: number): number {
    return this.#pages[page]?.first ?? 1;
  }

  /** The page that has a version. */
  pageOf(version: number): number {
    let [low, high] = [0, this.#pages.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#pages[middle]?.first ?? 0) > version) high = middle;
      else low = middle;
    }
    return low;
  }

  /**
   * The events of a page.
   *
   * @throws {CliffordError} `LOG_REPLACED`, or why that part of the log cannot be read.
   */
  async read(page: number): Promise<readonly StoredEvent[]> {
    if (page >= this.lastPage) return [...this.#tail];
    const reading = this.#read.get(page) ?? this.#select(page);
    this.#read.delete(page);
    this.#read.set(page, reading);
    const [oldest] = this.#read.keys();
    if (this.#read.size > READ_PAGES && oldest !== undefined) this.#read.delete(oldest);
    try {
      return await reading;
    } catch (error) {
      this.#read.delete(page);
      throw isStale(error) ? logReplaced(error) : error;
    }
  }

  async #select(page: number): Promise<readonly StoredEvent[]> {
    const { after, until } = this.#pages[page] ?? {};
    const found: StoredEvent[] = [];
    for await (const { events } of this.#log.select({ stream: this.#stream, after, until }))
      found.push(...events);
    return found;
  }
}
