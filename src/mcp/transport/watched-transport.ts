import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** What is to happen once a response has left, or when it never will. */
export type Departure = { readonly sent: () => void; readonly dropped: (why: unknown) => void };

/**
 * A transport that knows which requests wait for a response, and tells when a response was handed to
 * the client: the SDK sends the result of a handler, but does not say so.
 */
export class WatchedTransport implements Transport {
  readonly #inner: Transport;
  readonly #unanswered = new Set<RequestId>();
  readonly #departures = new Map<RequestId, Departure>();
  readonly #idle = new Set<() => void>();
  #protocol: string | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  /** The protocol version agreed on, once `initialize` was answered. */
  get protocol(): string | undefined {
    return this.#protocol;
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.#closed();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => this.#receive(message, extra);
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = responseId(message);
    if (id === undefined) return this.#inner.send(message, options);
    this.#notice(message);
    const departure = this.#departures.get(id);
    this.#departures.delete(id);
    try {
      await this.#inner.send(message, options);
    } catch (error) {
      departure?.dropped(error);
      throw error;
    } finally {
      this.#settle(id);
    }
    departure?.sent();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Arranges what follows the response to a request. Before it is sent; `signal` is the request's. */
  whenSent(id: RequestId, signal: AbortSignal, departure: Departure): void {
    if (signal.aborted) {
      departure.dropped(signal.reason);
      return;
    }
    this.#departures.set(id, departure);
    signal.addEventListener('abort', () => this.#drop(id, departure, signal.reason), { once: true });
  }

  /** Resolves when no request waits for its response. */
  async settled(): Promise<void> {
    if (this.#unanswered.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle.add(resolve);
    });
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if ('method' in message && 'id' in message) {
      if (this.#unanswered.has(message.id)) {
        this.#refuse(message.id);
        return;
      }
      this.#unanswered.add(message.id);
    }
    this.onmessage?.(message, extra);
  }

  /** MCP forbids it: nobody could tell the responses of two requests apart, and a cancellation would mean either. */
  #refuse(id: RequestId): void {
    const message = `Cannot take a second request with id ${JSON.stringify(id).slice(0, 100)}: the first one is under way`;
    const error = { code: ErrorCode.InvalidRequest, message };
    this.#inner.send({ jsonrpc: '2.0', id, error }).catch((failure: unknown) => {
      if (failure instanceof Error) this.onerror?.(failure);
    });
  }

  #notice(message: JSONRPCMessage): void {
    if (this.#protocol !== undefined || !('result' in message)) return;
    const { protocolVersion } = message.result;
    if (typeof protocolVersion === 'string') this.#protocol = protocolVersion;
  }

  /** A response that is on its way already is not dropped any more. */
  #drop(id: RequestId, departure: Departure, why: unknown): void {
    this.#settle(id);
    if (this.#departures.get(id) !== departure) return;
    this.#departures.delete(id);
    departure.dropped(why);
  }

  #settle(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }

  #closed(): void {
    for (const id of this.#unanswered) this.#settle(id);
    this.onclose?.();
  }
}

/** The id a response answers; `undefined` for anything else. */
function responseId(message: JSONRPCMessage): RequestId | undefined {
  if ('method' in message || !('id' in message)) return undefined;
  return message.id;
}
