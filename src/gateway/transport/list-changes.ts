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
import type { RawObject } from '../server/manager-event.ts';

/** Before changes are listened for again, in ms, doubled each time up to the second. */
const AGAIN_MS = 1_000;
const AGAIN_AT_MOST_MS = 30_000;

/** How what has changed is called: in the request that asks to hear of it, and in what tells. */
const KINDS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' };

export type ListChangesOptions = {
  /** Of the server. */
  readonly capabilities: RawObject;
  /** Sends `subscriptions/listen`. */
  readonly listen: (id: RequestId, params: Record<string, unknown>) => Promise<void>;
  readonly deliver: (message: JSONRPCMessage) => void;
  readonly listenMs: number;
};

/** Hears of every change of a server's lists, through a request that stays open: when it ends there is another. */
export class ListChanges {
  readonly #options: ListChangesOptions;
  readonly #kinds: readonly (keyof typeof KINDS)[];
  #count = 0;
  /** Times in a row that it did not last, and since when the server listens (`performance.now()`). */
  #failures = 0;
  #heardAt = Infinity;
  #again: NodeJS.Timeout | undefined;
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
    if (this.#kinds.length === 0) return;
    this.#listen();
    await within(this.#options.listenMs, [this.#heard.promise]);
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
    // Nobody listened for a while.
    if (this.#count > 1)
      for (const kind of this.#kinds)
        this.#options.deliver({ jsonrpc: '2.0', method: `notifications/${kind}/list_changed` });
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

  get #id(): RequestId {
    return `listen.${this.#count}`;
  }

  #listen(): void {
    this.#count += 1;
    const id = this.#id;
    const notifications = Object.fromEntries(this.#kinds.map((kind) => [KINDS[kind], true]));
    this.#options.listen(id, { notifications }).catch(() => {
      if (id === this.#id) this.#listenAgain();
    });
  }

  #listenAgain(): void {
    if (this.#isOver) return;
    clearTimeout(this.#again);
    if (performance.now() - this.#heardAt > AGAIN_AT_MOST_MS) this.#failures = 0;
    this.#heardAt = Infinity;
    const delayMs = Math.min(AGAIN_MS * 2 ** this.#failures++, AGAIN_AT_MOST_MS);
    this.#again = setTimeout(() => this.#listen(), delayMs);
    this.#again.unref();
  }
}
