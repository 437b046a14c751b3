import type { ManagerEvent, RawObject } from './manager-event.ts';
import { Throttle } from '../../lib/time/throttle.ts';

/** Two notices that a list has changed are no closer together, in ms. */
const CHANGED_EVERY_MS = 100;

export type ServerNoticesOptions = {
  readonly tell: (event: ManagerEvent) => void;
  readonly onToolsChanged: () => void;
};

/** What a server says by itself, as events: no more of them than anybody can read, and no change is missed. */
export class ServerNotices {
  readonly #serverId: string;
  readonly #options: ServerNoticesOptions;
  readonly #gate = new NoticeGate();
  readonly #changed: Readonly<Record<string, Throttle<void>>>;

  constructor(serverId: string, options: ServerNoticesOptions) {
    this.#serverId = serverId;
    this.#options = options;
    const changed = (kind: 'resources' | 'prompts') =>
      new Throttle<void>(CHANGED_EVERY_MS, () => options.tell({ kind, serverId }));
    this.#changed = {
      'notifications/resources/list_changed': changed('resources'),
      'notifications/prompts/list_changed': changed('prompts'),
      'notifications/tools/list_changed': new Throttle<void>(CHANGED_EVERY_MS, options.onToolsChanged),
    };
  }

  take(method: string, params: RawObject): void {
    const changed = Object.hasOwn(this.#changed, method) ? this.#changed[method] : undefined;
    if (changed !== undefined) {
      changed.push();
      return;
    }
    if (method === 'notifications/resources/updated') {
      // Of those that nobody asked about nobody hears: whoever did passes on no more than can be read.
      const { uri } = params;
      if (typeof uri === 'string') this.#options.tell({ kind: 'updated', serverId: this.#serverId, uri });
      return;
    }
    // Of anything else nobody would hear.
    if (method !== 'notifications/message') return;
    const { passes, dropped } = this.#gate.next();
    if (dropped > 0) this.#tellDropped(dropped);
    if (passes) this.#options.tell({ kind: 'log', serverId: this.#serverId, params });
  }

  end(): void {
    for (const changed of Object.values(this.#changed)) changed.end();
  }

  #tellDropped(count: number): void {
    const data = `${count} messages of this server were dropped: it sent too many at once`;
    this.#options.tell({
      kind: 'log',
      serverId: this.#serverId,
      params: { level: 'warning', logger: 'clifford', data },
    });
  }
}

/** How many notices of a server are passed on within {@link WINDOW_MS}. */
const MAX_NOTICES = 100;

/** In ms. */
const WINDOW_MS = 1_000;

/** Lets through what a server sends by itself, up to an amount; more is counted and forgotten. */
class NoticeGate {
  #windowStart = -Infinity;
  #passed = 0;
  #dropped = 0;

  /** Whether the next may pass, and how many were dropped before it. */
  next(): { readonly passes: boolean; readonly dropped: number } {
    const now = performance.now();
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now;
      this.#passed = 0;
    }
    if (this.#passed >= MAX_NOTICES) {
      this.#dropped++;
      return { passes: false, dropped: 0 };
    }
    this.#passed++;
    const dropped = this.#dropped;
    this.#dropped = 0;
    return { passes: true, dropped };
  }
}
