import type { LiveMessage } from '../../api/live.ts';
import type { EventLine } from '../../api/history.ts';
import type { SentSprint } from '../../api/sprint.ts';
import type { SentState } from '../../api/state.ts';
import { Api } from './api.ts';
import { Live, type Link } from './live.ts';
import { tellLooking } from './looking.ts';
import { OutputStore } from './output-store.ts';
import { Store } from './store.ts';
import type { Message } from './stream-state.ts';
import { tellRefused } from '../shell/toasts.tsx';
import { dropToken, keepToken, onOtherKey, takeToken } from './token.ts';

/** The connection, as the reader is told of it. */
export type Connection = {
  readonly link: Link;
  /** When it was live last, in ms since the epoch; `undefined`: never. */
  readonly liveAt: number | undefined;
  /** What has become of the key that is not taken, where that is known. */
  readonly key?: 'revoked' | 'expired' | 'replaced' | undefined;
};

/** The events of the sprint that is looked at, as far as they came while the page is open. */
export type RecentEvents = {
  readonly sprint: string | undefined;
  /** In order, the newest last: so many at most. */
  readonly events: readonly EventLine[];
  /** Counts how often some were missed, and the history is to be read again. */
  readonly gaps: number;
};

/** So often it is looked what waits while the page is hidden, in ms. */
const PEEK_MS = 30_000;
/** Many events in a row are drawn so often, in ms. */
const EVENTS_PAUSE_MS = 200;
/** So many events are kept: what is further back is asked for where it is looked at. */
const MOST_EVENTS = 1_000;

/** What has become of a key that is unknown to the server that answers after such an end. */
const afterEnd = { token: 'revoked', closing: 'replaced', slow: undefined } as const;

/** All that the page knows: what the server said last. Nothing of it is decided here. */
export class Session {
  readonly connection = new Store<Connection>({ link: 'connecting', liveAt: undefined });
  readonly state = new Store<SentState | undefined>(undefined);
  readonly sprint = new Store<SentSprint | undefined>(undefined);
  readonly recent = new Store<RecentEvents>({ sprint: undefined, events: [], gaps: 0 }, EVENTS_PAUSE_MS);
  readonly output = new OutputStore();
  /** More was asked with this key than is answered: until when the page waits, in ms since the epoch. */
  readonly busyUntil = new Store<number | undefined>(undefined);
  readonly api: Api;
  /** How far the server's clock is ahead of this one, in ms. */
  clockSkewMs = 0;
  #token = takeToken();
  readonly #live: Live;
  #key: Connection['key'];
  /** Why the server has ended the stream last, where it has said so. */
  #ended: LiveMessage['end']['why'] | undefined;

  constructor() {
    this.api = new Api(() => this.#token, {
      onLocked: (code, token) => this.#lock(code, token),
      onBusy: (until) => (this.busyUntil.value = until),
    });
    this.#live = new Live({
      api: this.api,
      onMessage: (message) => this.#take(message),
      onLink: (link) => this.#linkIs(link),
    });
  }

  /** Begins to follow; while nobody looks, what waits is asked for now and then: the tab says how much it is. */
  start(): void {
    setInterval(() => void this.#peek(), PEEK_MS);
    tellLooking(async () => this.state.value?.reader.may === 'decide' && this.api.looking());
    onOtherKey();
    if (this.#token === undefined) this.#linkIs('locked');
    else this.#live.start();
  }

  /** Tries to connect now. */
  reconnect(): void {
    this.#live.reconnect();
  }

  /** Looks at a sprint, and at what the agents of one of its tasks write. */
  watch(sprint: string | undefined, task: string | undefined): void {
    if (sprint !== this.sprint.value?.id) this.sprint.value = undefined;
    if (sprint !== this.recent.value.sprint) this.recent.value = { sprint, events: [], gaps: 0 };
    this.output.watch(sprint, task);
    this.#live.watch({ sprint, task });
  }

  /** A key is not taken: it is forgotten, and another one of this tab or device is tried, if there is one. */
  #lock(code: string, token: string | undefined): void {
    if (token !== this.#token) return;
    const before = dropToken(token);
    if (before !== undefined) {
      this.#token = before;
      tellRefused();
      return this.#live.reconnect();
    }
    this.#key = code === 'TOKEN_EXPIRED' ? 'expired' : this.#ended && afterEnd[this.#ended];
    this.#linkIs('locked');
  }

  async #peek(): Promise<void> {
    if (this.connection.value.link !== 'away' || this.#token === undefined) return;
    try {
      const state = await this.api.state();
      // Whoever looks again has a newer one.
      if (this.connection.value.link === 'away') this.state.value = state;
    } catch {
      // Not reached: the next time, or when somebody looks again.
    }
  }

  #linkIs(link: Link): void {
    // A key is kept once the server has taken it.
    if (link === 'live' && this.#token !== undefined) keepToken(this.#token);
    if (link === 'gone') this.#forget();
    const liveAt = link === 'live' ? Date.now() : this.#live.heardAt;
    this.connection.value = { link, liveAt, key: this.#key };
  }

  /** What comes back under the same name may be another project. */
  #forget(): void {
    this.state.value = undefined;
    this.sprint.value = undefined;
    const { sprint, gaps } = this.recent.value;
    this.recent.value = { sprint, events: [], gaps: gaps + 1 };
  }

  #take(message: Message): void {
    switch (message.name) {
      case 'state':
        this.clockSkewMs = Date.parse(message.data.now) - Date.now();
        this.state.value = message.data;
        break;
      case 'sprint':
        this.sprint.value = message.data;
        break;
      case 'events':
        this.#addEvents(message.data);
        break;
      case 'written':
        this.output.begin(message.data);
        break;
      case 'output':
        this.output.add(message.data);
        break;
      case 'gap':
        this.recent.value = { ...this.recent.value, events: [], gaps: this.recent.value.gaps + 1 };
        break;
      case 'end':
        this.#ended = message.data.why;
        break;
      case 'question':
        break;
    }
  }

  #addEvents(added: readonly EventLine[]): void {
    const { sprint, events, gaps } = this.recent.value;
    const last = events.at(-1)?.version ?? 0;
    const fresh = added.filter((event) => event.sprint === sprint && event.version > last);
    if (fresh.length === 0) return;
    this.recent.value = { sprint, events: [...events, ...fresh].slice(-MOST_EVENTS), gaps };
  }
}
