import type { Readable, Writable } from 'node:stream';
import { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';

/** While the client leaves more than this unread nothing more is read from it, in bytes. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** While it leaves more than this unread, results of calls that were under way are not kept for it, in bytes. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;
/** So many requests are worked on at once that may be answered any moment: each reply takes memory until it is read. */
const MAX_FRESH_REQUESTS = 16;
/** A request that takes longer waits for somebody, and keeps no other from being read, in ms. */
const FRESH_MS = 500;

/**
 * MCP over the standard streams. Three things the SDK's own transport does not do: it ends when the client leaves
 * (EOF, broken pipe), `send` resolves only when the kernel has taken the message, and a client that does not read
 * what it asked for costs a limited amount of memory: it is not listened to until it reads.
 */
export class StdioTransport implements Transport {
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #onLeft: () => void;
  readonly #received = new ReadBuffer();
  /** Requests that came just now, with what ends that. */
  readonly #fresh = new Map<RequestId, NodeJS.Timeout>();
  #isHandingOver = false;
  #isClosed = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** `onLeft` is called when the client said its last word; it may still read. Close soon after. */
  constructor({ stdin, stdout, onLeft }: { stdin: Readable; stdout: Writable; onLeft: () => void }) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#onLeft = onLeft;
  }

  start(): Promise<void> {
    this.#stdin.on('data', this.#onData);
    this.#stdin.on('error', this.#onInputError);
    this.#stdin.once('end', this.#onLeft);
    this.#stdin.once('close', this.#onLeft);
    // Stays for good: a write that fails after the close is of no interest, but must not be uncaught.
    this.#stdout.on('error', (error) => this.#broken(error));
    return Promise.resolve();
  }

  /** @throws {Error} when the client does not read: of a result it gets an error in its place, of a notification nothing. */
  async send(message: JSONRPCMessage): Promise<void> {
    const replyTo = 'id' in message && !('method' in message) ? message.id : undefined;
    const isTooMuch = this.#stdout.writableLength > MAX_HELD_BYTES;
    if (!isTooMuch) await this.#write(message, replyTo);
    else {
      const unread = `the client leaves ${this.#stdout.writableLength.toLocaleString('en-US')} bytes unread`;
      if (replyTo !== undefined) {
        const error = { code: ErrorCode.InternalError, message: `Cannot send the result: ${unread}` };
        this.#write({ jsonrpc: '2.0', id: replyTo, error }, replyTo).catch(() => undefined);
      }
      throw new Error(unread);
    }
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#stdin.off('end', this.#onLeft);
    this.#stdin.off('close', this.#onLeft);
    this.#stdin.off('data', this.#onData);
    this.#stdin.off('error', this.#onInputError);
    this.#stdin.pause();
    for (const timer of this.#fresh.values()) clearTimeout(timer);
    this.#fresh.clear();
    this.#received.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #onInputError = (error: Error) => this.onerror?.(error);

  readonly #onData = (chunk: Buffer) => {
    try {
      this.#received.append(chunk);
    } catch (error) {
      this.#broken(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#handOver();
  };

  /** Hands over what has been read, in order, as far as the client reads what it gets. */
  #handOver(): void {
    // A message may be answered while it is handed over.
    if (this.#isHandingOver) return;
    this.#isHandingOver = true;
    try {
      this.#handOverAll();
    } finally {
      this.#isHandingOver = false;
    }
  }

  #handOverAll(): void {
    while (!this.#isClosed) {
      if (this.#stdout.writableLength > MAX_UNREAD_BYTES || this.#fresh.size >= MAX_FRESH_REQUESTS) {
        this.#stdin.pause();
        return;
      }
      const message = this.#next();
      if (message === null) break;
      if (message === undefined) continue;
      if ('method' in message && 'id' in message) this.#begin(message.id);
      this.onmessage?.(message);
    }
    if (!this.#isClosed && this.#stdin.isPaused()) this.#stdin.resume();
  }

  /** `null`: there is none, `undefined`: it was none. */
  #next(): JSONRPCMessage | null | undefined {
    try {
      return this.#received.readMessage();
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  #begin(id: RequestId): void {
    clearTimeout(this.#fresh.get(id));
    this.#fresh.set(id, setTimeout(() => this.#settle(id), FRESH_MS).unref());
  }

  #settle(id: RequestId): void {
    clearTimeout(this.#fresh.get(id));
    if (this.#fresh.delete(id)) this.#handOver();
  }

  #write(message: JSONRPCMessage, replyTo: RequestId | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#stdout.write(`${JSON.stringify(message)}\n`, (error) => {
      if (error) reject(error);
      else resolve();
      this.#handOver();
    });
    if (replyTo !== undefined) this.#settle(replyTo);
    return promise;
  }

  #broken(error: Error): void {
    this.onerror?.(error);
    void this.close();
  }
}
