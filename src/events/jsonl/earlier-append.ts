import { isAscii } from 'node:buffer';
import { streamOf, type StoredEvent } from '../envelope.ts';
import { decodeLine, UnreadableLine } from '../line/chain-reader.ts';
import type { PreparedEvent } from '../line/prepare-event.ts';
import type { Upcasters } from '../upcasters.ts';
import { SEARCH_WINDOW_BYTES } from './find-head.ts';
import { NEWLINE } from './line-bytes.ts';
import { lineDecoder } from './line-decoder.ts';
import { lineError } from './log-errors.ts';
import { readChunks, type Chunk } from './read-chunks.ts';
import { endOfAppends, sizeOf } from './tail.ts';
import { bytesBetween } from './windows.ts';

/**
 * The events of an append that is tried again, where they are in the file already: told by their ids. What is far back is
 * looked through without the lock; what came since, under it, so that nobody writes them between the look and the write.
 */
export class EarlierAppend {
  readonly #path: string;
  readonly #stream: string;
  readonly #ids: readonly string[];
  readonly #upcasters: Upcasters | undefined;
  #found: StoredEvent[] = [];
  /** Everything before it was looked through. */
  #upTo = 0;

  constructor(path: string, stream: string, events: readonly PreparedEvent[], upcasters?: Upcasters) {
    this.#path = path;
    this.#stream = stream;
    this.#ids = events.map(({ event }) => event.id);
    this.#upcasters = upcasters;
  }

  /** Forgets what it has seen: the file is another one. */
  startOver(): void {
    this.#found = [];
    this.#upTo = 0;
  }

  /** Whether much of what lies before `end` was not looked through: {@link catchUp} before taking the lock. */
  isFarBehind(end: number): boolean {
    return this.#next !== undefined && end - this.#upTo > SEARCH_WINDOW_BYTES;
  }

  /**
   * Looks through the file as it is now until it has found them all, and lets the event loop run meanwhile.
   *
   * @throws {LogCorruptError}
   */
  async catchUp(fd: number): Promise<void> {
    const end = endOfAppends(fd, sizeOf(fd));
    for await (const chunk of readChunks(fd, this.#path, this.#upTo, end)) {
      this.#look(fd, chunk);
      if (this.#next === undefined) return;
    }
  }

  /** Those that stand before `end`, all or none. Call it under the lock. @throws {LogCorruptError} */
  at(fd: number, end: number): readonly StoredEvent[] {
    if (end < this.#upTo) this.startOver();
    const offset = this.#upTo;
    if (this.#next !== undefined && offset < end)
      this.#look(fd, { offset, bytes: bytesBetween(fd, offset, end) });
    return this.#found;
  }

  /** The id that is looked for: they stand in their order. */
  get #next(): string | undefined {
    return this.#ids[this.#found.length];
  }

  #look(fd: number, { offset, bytes }: Chunk): void {
    for (let at = this.#indexOfNext(bytes, 0); at !== -1;) {
      const start = bytes.lastIndexOf(NEWLINE, at) + 1;
      const end = bytes.indexOf(NEWLINE, at);
      const event = this.#read(fd, bytes.subarray(start, end), offset + start);
      // An id may stand in what another event says.
      if (event.id === this.#next && streamOf(event.subject) === this.#stream) this.#found.push(event);
      at = this.#indexOfNext(bytes, end);
    }
    this.#upTo = offset + bytes.length;
  }

  #indexOfNext(bytes: Buffer, from: number): number {
    return this.#next === undefined ? -1 : bytes.indexOf(this.#next, from, 'latin1');
  }

  #read(fd: number, line: Buffer, offset: number): StoredEvent {
    try {
      return decodeLine(lineDecoder(isAscii(line))(line), this.#upcasters);
    } catch (error) {
      if (!(error instanceof UnreadableLine)) throw error;
      const { message: reason, isNewer } = error;
      throw lineError(this.#path, fd, { offset, reason, isNewer });
    }
  }
}
