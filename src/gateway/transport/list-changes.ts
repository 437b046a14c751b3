import {
  ErrorCode,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCResultResponse,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { within } from '../../lib/processes/settled-within.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { RawObject } from '../server/manager-event.ts';

/** Before changes are listened for again. */
const PAUSE = { firstMs: 1_000, longestMs: 30_000 };

/** How what has changed is called: in the request that asks to hear of it, and in what tells. */
const KINDS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' };

export type ListChangesOptions = {
  /** Of the server. */
  readonly capabilities: RawObject;
  /** Sends `subscriptions/listen`. */
  readonly listen: (id: RequestId, params: Record<string, unknown>) => Promise<void>;
  /** Ends a request that stays open. */
  readonly abandon: (id: RequestId) => Promise<void>;
  readonly deliver: (message: JSONRPCMessage) => void;
  readonly listenMs: number;
};

/**
 * Hears of every change of a server's lists, and of the resources that are watched, through a request that stays open:
 * when it ends, or others are watched, there is another.
 */
export class ListChanges {
  readonly #options: ListChangesOptions;
  readonly #kinds: readonly (keyof typeof KINDS)[];
  readonly #uris = new Set<string>();
  #count = 0;
  /** The requests that the current one takes the place of, until the server listens by that. */
  readonly #before = new Set<RequestId>();
  /** Times in a row that it did not last, and since when the server listens (`performance.now()`). */
  #failures = 0;
  #heardAt = Infinity;
  #again: NodeJS.Timeout | undefined;
  #isDeaf = false;
  #isOver = false;
  readonly #heard = Promise.withResolvers<void>();

  constructor(options: ListChangesOptions) {
    this.#options = options;
    const tells = (kind: string) => {
      const capability = options.capabilities[kind];
      return isJsonObject(capability) && capability['listChanged'] === true;
    };
    this.#kinds = (Object.keys(KINDS) as (keyof typeof KINDS)[]).filter(tells);
  }

  /** Resolves when the server listens, so that no change is missed; or after a while. */
  async begin(): Promise<void> {
    if (!this.#isNeeded) return;
    this.#listen();
    await within(this.#options.listenMs, [this.#heard.promise]);
  }

  /** Begins or ends to hear of one resource. */
  watch(uri: string, isWatched: boolean): void {
    if (this.#isOver || this.#uris.has(uri) === isWatched) return;
    if (isWatched) this.#uris.add(uri);
    else this.#uris.delete(uri);
    // The one before goes on until the server listens by the next: nothing is missed in between.
    if (this.#count > 0 && this.#again === undefined) this.#before.add(this.#id);
    clearTimeout(this.#again);
    this.#again = undefined;
    if (this.#isNeeded) this.#listen();
    else {
      this.#count += 1;
      this.#endBefore();
    }
  }

  /** Whether a notification is about the listening itself. */
  takes({ method, params = {} }: JSONRPCNotification): boolean {
    if (method === 'notifications/cancelled') {
      if (params['requestId'] === this.#id) this.#listenAgain();
      return true;
    }
    if (method !== 'notifications/subscriptions/acknowledged') return false;
    this.#heard.resolve();
    this.#heardAt = performance.now();
    this.#endBefore();
    if (this.#isDeaf) this.#tellAll();
    this.#isDeaf = false;
    return true;
  }

  /** Whether a response ends the listening. */
  ended(message: JSONRPCResultResponse | JSONRPCErrorResponse): boolean {
    if (this.#count === 0 || message.id !== this.#id) return false;
    this.#heard.resolve();
    if ('error' in message && message.error.code === ErrorCode.MethodNotFound) this.end();
    this.#listenAgain();
    return true;
  }

  end(): void {
    this.#isOver = true;
    this.#heard.resolve();
    clearTimeout(this.#again);
  }

  get #isNeeded(): boolean {
    return this.#kinds.length > 0 || this.#uris.size > 0;
  }

  /** Nobody listened for a while: all of it may have changed. */
  #tellAll(): void {
    const { deliver } = this.#options;
    for (const kind of this.#kinds) deliver({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` });
    for (const uri of this.#uris)
      deliver({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
  }

  #endBefore(): void {
    // One that cannot be ended tells what is told anyhow.
    for (const id of this.#before) this.#options.abandon(id).catch(() => undefined);
    this.#before.clear();
  }

  get #id(): RequestId {
    return `listen.${this.#count}`;
  }

  #listen(): void {
    this.#count += 1;
    const id = this.#id;
    const notifications = {
      ...Object.fromEntries(this.#kinds.map((kind) => [KINDS[kind], true])),
      ...(this.#uris.size > 0 && { resourceSubscriptions: [...this.#uris] }),
    };
    this.#options.listen(id, { notifications }).catch(() => {
      if (id === this.#id) this.#listenAgain();
    });
  }

  #listenAgain(): void {
    if (this.#isOver) return;
    this.#isDeaf = true;
    clearTimeout(this.#again);
    if (performance.now() - this.#heardAt > PAUSE.longestMs) this.#failures = 0;
    this.#heardAt = Infinity;
    const delayMs = backoffMs(PAUSE, this.#failures);
    this.#failures += 1;
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.#listen();
    }, delayMs);
    this.#again.unref();
  }
}
