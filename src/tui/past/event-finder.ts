import { hasWords } from '../../views/events/event-words.ts';
import type { Asked } from '../../views/sprints/task-about.ts';
import { FoundEvents } from '../../workflow/history/found-events.ts';
import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';
import type { Notice } from '../screen/screen-state.ts';
import type { Found } from './past.ts';

type Search = { readonly words: string; readonly over: AbortController; readonly hits: FoundEvents };

/** Looks for events in a history, as the person at the screen wants it. Where there is none, it says so. */
export class EventFinder {
  readonly #tell: (notice: Notice) => void;
  readonly #asked: () => Asked | undefined;
  #search: Search | undefined;

  constructor(tell: (notice: Notice) => void, asked: () => Asked | undefined) {
    this.#tell = tell;
    this.#asked = asked;
  }

  /** What is looked for, and where it is. */
  get found(): Found | undefined {
    const { words, hits } = this.#search ?? {};
    return words === undefined || !hits ? undefined : { words, versions: hits.versions };
  }

  /**
   * Looks for these words; without any, for nothing. Returns when every event was looked at.
   *
   * @throws why the log cannot be read; an `AbortError` where something else is looked for meanwhile.
   */
  async find(at: HistoryCursor, words: string): Promise<void> {
    this.close();
    if (words === '') return;
    const hits = new FoundEvents(at, hasWords(words, this.#asked()));
    const search = { words, over: new AbortController(), hits };
    this.#search = search;
    await search.hits.readOn(search.over.signal);
    if (search.hits.versions.length > 0) return;
    this.#search = undefined;
    this.#tell({ tone: 'warning', text: `No event has this: ${words}` });
  }

  /** Looks at what has come since. @throws as {@link find}. */
  async readOn(): Promise<void> {
    await this.#search?.hits.readOn(this.#search.over.signal);
  }

  /** The event that was found next after `from`, that one included, or before it, where none is. */
  nearest(from: number): number {
    const { hits } = this.#search ?? {};
    return hits?.next(from - 1, 1) ?? hits?.next(from, -1) ?? from;
  }

  /** The next one that was found, or the one before; `from`, where there is none. */
  next(from: number, step: 1 | -1): number {
    const { hits, words = '' } = this.#search ?? {};
    const version = hits?.next(from, step);
    if (version !== undefined) return version;
    if (hits)
      this.#tell({ tone: 'info', text: `No ${step === 1 ? 'later' : 'earlier'} event has this: ${words}` });
    return from;
  }

  /** Looks for nothing any more. */
  close(): void {
    this.#search?.over.abort();
    this.#search = undefined;
  }
}
