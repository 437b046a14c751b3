import { readSync } from 'node:fs';
import { endsWithAppend } from './line-bytes.ts';

const BUFFER_BYTES = 65_536;

/** The bytes at the end of the file that others wrote since we last looked: read once, used twice. */
export class RecentBytes {
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #start = 0;
  #end = 0;

  /** Reads what stands between `from` and `end`, or the last 64 KB of it. */
  load(fd: number, from: number, end: number): void {
    this.#start = Math.max(from, end - BUFFER_BYTES);
    this.#end = this.#start + readSync(fd, this.#buffer, 0, end - this.#start, this.#start);
  }

  /** Whether the last of them end an append. */
  get endsAppend(): boolean {
    return endsWithAppend(this.#buffer.subarray(0, this.#end - this.#start));
  }

  /** The bytes from `start` to `end`, if they are among them; valid until the next {@link load}. */
  view(start: number, end: number): Buffer | undefined {
    if (start < this.#start || end > this.#end) return undefined;
    return this.#buffer.subarray(start - this.#start, end - this.#start);
  }
}
