import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/**
 * MCP over the standard streams. Two things the SDK's own transport does not do: it ends when the
 * client leaves (EOF, broken pipe), and `send` resolves only when the kernel has taken the message.
 */
export class StdioTransport extends StdioServerTransport {
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #onLeft: () => void;

  /** `onLeft` is called when the client said its last word; it may still read. Close soon after. */
  constructor({ stdin, stdout, onLeft }: { stdin: Readable; stdout: Writable; onLeft: () => void }) {
    super(stdin, stdout);
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#onLeft = onLeft;
  }

  override async start(): Promise<void> {
    this.#stdin.once('end', this.#onLeft);
    this.#stdin.once('close', this.#onLeft);
    // Stays for good: a write that fails after the close is of no interest, but must not be uncaught.
    this.#stdout.on('error', (error) => this.#broken(error));
    await super.start();
  }

  override send(message: JSONRPCMessage): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#stdout.write(`${JSON.stringify(message)}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
    return promise;
  }

  override async close(): Promise<void> {
    this.#stdin.off('end', this.#onLeft);
    this.#stdin.off('close', this.#onLeft);
    await super.close();
  }

  #broken(error: Error): void {
    this.onerror?.(error);
    void this.close();
  }
}
