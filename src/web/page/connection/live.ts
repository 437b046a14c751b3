import { backoffMs } from '../../../lib/time/backoff.ts';
import { BEAT_EVERY_MS } from '../../api/beat.ts';
import type { LiveName } from '../../api/live.ts';
import type { Api } from './api.ts';
import { ApiError } from './api-error.ts';
import { StreamParser } from './event-stream.ts';
import { StreamState, type Message } from './stream-state.ts';

/**
 * How the page stands with the server. `away`: nobody looks, so nothing is asked. `lost`: it is tried again. `locked`: the
 * key is not taken. `gone`: no project has the name that is in the address.
 */
export type Link = 'connecting' | 'live' | 'away' | 'lost' | 'locked' | 'gone';

/** What is looked at besides the state of all. */
export type Watched = { readonly sprint?: string | undefined; readonly task?: string | undefined };

/** Pauses between attempts to connect, in ms. */
const PAUSE = { firstMs: 500, longestMs: 15_000 };
/** The pause before a project is asked for again that the list lacks, in ms: it may be back, or have been read half written. */
const GONE_MS = 5_000;
/** A stream that says nothing for so long, not even that it is there, is dead: so is one of before the machine was asleep. */
const SILENCE_MS = 3 * BEAT_EVERY_MS;
/** One that has not begun is tried anew sooner: where a connection died and was not closed, others that the browser kept have, too. */
const BEGIN = { firstMs: BEAT_EVERY_MS, longestMs: SILENCE_MS };
const TICK_MS = 1_000;
/** Who comes back and has heard of no event is told that some may be missing: this is the id of none. */
const NO_EVENT = '-';

type Options = {
  readonly api: Api;
  readonly onMessage: (message: Message) => void;
  readonly onLink: (link: Link) => void;
};

/** Follows what happens while somebody looks: closes while the page is hidden, comes back by itself, and never gives up. */
export class Live {
  readonly #options: Options;
  #watched: Watched = {};
  /** Of the last event that was heard of; `undefined`: all of it is read anew. */
  #lastId: string | undefined;
  #stream: AbortController | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** How many in a row have not begun. */
  #unbegun = 0;
  #begunAt = 0;
  #heardAt: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** When the server was heard last, as `Date.now()` has it. */
  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  /** Begins, and goes on until the page is gone. */
  start(): void {
    document.addEventListener('visibilitychange', () => this.#look());
    // The page comes back from where the browser had frozen it.
    addEventListener('pageshow', ({ persisted }) => persisted && this.reconnect());
    addEventListener('online', () => this.reconnect());
    setInterval(() => this.#tick(), TICK_MS);
    this.#look();
  }

  /** Looks at something else. */
  watch(watched: Watched): void {
    if (watched.sprint === this.#watched.sprint && watched.task === this.#watched.task) return;
    this.#watched = watched;
    if (this.#stream) this.reconnect();
  }

  /** Connects anew, now. */
  reconnect(): void {
    this.#unbegun = 0;
    this.#connectAnew();
  }

  #connectAnew(): void {
    this.#close();
    this.#failures = 0;
    if (document.visibilityState === 'visible') void this.#connect();
  }

  #look(): void {
    if (document.visibilityState === 'visible') return this.reconnect();
    this.#close();
    this.#options.onLink('away');
  }

  #close(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#stream?.abort();
    this.#stream = undefined;
  }

  #tick(): void {
    if (this.#stream === undefined) return;
    const heardAt = this.#heardAt ?? 0;
    const hasBegun = heardAt >= this.#begunAt;
    const silentMs = Date.now() - (hasBegun ? heardAt : this.#begunAt);
    if (silentMs <= (hasBegun ? SILENCE_MS : backoffMs(BEGIN, this.#unbegun))) return;
    if (!hasBegun) this.#unbegun += 1;
    this.#connectAnew();
  }

  async #connect(isQuiet = false): Promise<void> {
    const stream = new AbortController();
    this.#stream = stream;
    if (!isQuiet) this.#options.onLink('connecting');
    this.#begunAt = Date.now();
    try {
      const response = await this.#options.api.follow(this.#watched, this.#lastId, stream.signal);
      await this.#read(response);
      this.#again(stream);
    } catch (error) {
      if (stream.signal.aborted) return;
      const over = error instanceof ApiError ? endOf(error) : undefined;
      if (over) {
        this.#stream = undefined;
        this.#options.onLink(over);
        if (over === 'gone') {
          // All of it is read again.
          this.#lastId = undefined;
          this.#retry = setTimeout(() => void this.#connect(true), GONE_MS);
        }
      } else this.#again(stream);
    }
  }

  async #read({ body }: Response): Promise<void> {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    this.#options.onLink('live');
    this.#failures = 0;
    this.#lastId ??= NO_EVENT;
    const parser = new StreamParser();
    const told = new StreamState();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#heardAt = Date.now();
      this.#unbegun = 0;
      for (const { name, data, id } of parser.push(value)) {
        if (id !== undefined) this.#lastId = id;
        this.#options.onMessage(told.take(name as LiveName, JSON.parse(data)));
      }
    }
  }

  #again(stream: AbortController): void {
    if (this.#stream !== stream) return;
    stream.abort();
    this.#options.onLink('lost');
    const pause = backoffMs(PAUSE, this.#failures);
    this.#failures += 1;
    // Not all pages at the same instant, when a server comes back.
    this.#retry = setTimeout(() => void this.#connect(), pause * (0.75 + Math.random() / 2));
  }
}

/** How it stands where another try at once would be answered alike. */
function endOf({ status, code }: ApiError): 'locked' | 'gone' | undefined {
  if (status === 401) return 'locked';
  return code === 'PROJECT_UNKNOWN' ? 'gone' : undefined;
}
