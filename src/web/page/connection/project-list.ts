import type { SentProjects } from '../../api/projects.ts';
import { clock } from '../parts/clock.ts';
import { Api } from './api.ts';
import { ApiError } from './api-error.ts';
import { Store } from './store.ts';
import { tellRefused } from '../shell/toasts.tsx';
import { dropToken, keepToken, onOtherKey, takeToken } from './token.ts';

/** So often the list is asked for while somebody looks, in ms: while the page is hidden, not at all. */
const EVERY_MS = 2_000;

/** How the page stands with the server: `lost`, with why, it is tried again; `locked`: the key is not taken. */
type ListLink = { readonly is: 'live' | 'locked' } | { readonly is: 'lost'; readonly why: string };

/** All projects of a server, as it said last. */
export class ProjectList {
  readonly list = new Store<SentProjects | undefined>(undefined);
  readonly link = new Store<ListLink>({ is: 'live' });
  token = takeToken();
  readonly #api = new Api(() => this.token, {
    onLocked: (_code, token) => this.#refuse(token),
    // It is asked for again anyway, and says so if that takes long.
    onBusy: () => undefined,
  });
  #isAsking = false;

  /** Begins to ask, and goes on until the page is gone. */
  start(): void {
    onOtherKey();
    if (this.token === undefined) return this.#lock();
    setInterval(() => this.ask(), EVERY_MS);
    document.addEventListener('visibilitychange', () => this.ask());
    this.ask();
  }

  /** Asks for it now, unless nobody looks, or it is asked for already. */
  ask(): void {
    if (this.#isAsking || this.link.value.is === 'locked' || document.visibilityState !== 'visible') return;
    this.#isAsking = true;
    void this.#read().finally(() => (this.#isAsking = false));
  }

  async #read(): Promise<void> {
    try {
      const list = await this.#api.projects();
      if (this.token !== undefined) keepToken(this.token);
      clock.set(Date.parse(list.now) - Date.now());
      this.list.value = list;
      if (this.link.value.is !== 'live') this.link.value = { is: 'live' };
    } catch (error) {
      if (this.link.value.is === 'locked') return;
      if (!(error instanceof ApiError)) throw error;
      // Another key is tried.
      if (error.status === 401) await this.#read();
      else this.link.value = { is: 'lost', why: error.message };
    }
  }

  /** A key is not taken: it is forgotten, and another one of this tab or device is tried, if there is one. */
  #refuse(token: string | undefined): void {
    if (token !== this.token) return;
    const before = dropToken(token);
    if (before === undefined) return this.#lock();
    this.token = before;
    tellRefused();
  }

  #lock(): void {
    this.link.value = { is: 'locked' };
  }
}
