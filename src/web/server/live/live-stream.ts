import type { ServerResponse } from 'node:http';
import type { LiveMessage, LiveName } from '../../api/live.ts';

/** A stream of server-sent events to one reader. */
export class LiveStream {
  readonly #response: ServerResponse;
  #behindSince: number | undefined;

  /** @param headers - Beside those of every stream. */
  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.#response = response;
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // What stands between is not to wait for more.
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    response.on('drain', () => (this.#behindSince = undefined));
  }

  /** Since when the reader takes nothing, in ms since the epoch: what it got has filled what the system keeps for it. */
  get behindSince(): number | undefined {
    return this.#behindSince;
  }

  /** @param json - Of the message, on one line. */
  send(name: LiveName, json: string, id?: string): void {
    this.#write(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`);
  }

  /** Keeps what stands between from closing a connection on which nothing happens. */
  beat(): void {
    this.#write(': \n\n');
  }

  /** Says why, and closes: at once, where the reader takes nothing. */
  end(why: LiveMessage['end']['why']): void {
    if (this.#behindSince !== undefined) return void this.#response.destroy();
    this.#response.end(`event: end\ndata: ${JSON.stringify({ why })}\n\n`);
    // Whoever does not take even that is not waited for.
    const socket = this.#response.socket;
    setTimeout(() => socket?.destroySoon(), 1_000).unref();
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (!this.#response.write(text)) this.#behindSince ??= Date.now();
  }
}
