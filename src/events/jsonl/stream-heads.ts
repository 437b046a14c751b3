import type { AppendFile } from './append-file.ts';
import type { StreamHead } from '../log/event-log.ts';
import { findHead, findHeadInTurns, SEARCH_WINDOW_BYTES } from './find-head.ts';
import { EMPTY_HEAD } from '../line/line-codec.ts';
import { RecentBytes } from './recent-bytes.ts';
import { endOfAppends, sizeOf } from './tail.ts';

/** A stream's head as far as the file was looked at. */
type KnownHead = { readonly head: StreamHead; readonly upTo: number };

/**
 * The newest event of each stream, as far as somebody asked. Whole appends never go away, so a head
 * found once only has to be brought up to date with the bytes that came after. Nothing but the file says what it is:
 * from one that somebody invented, a line would be written that damages the log.
 */
export class StreamHeads {
  readonly #file: string;
  readonly #known = new Map<string, KnownHead>();
  readonly #recent = new RecentBytes();
  /** Where the last append ended when it was last looked at under the lock. */
  #end = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether a file of `size` bytes has grown since it was last looked at under the lock. */
  isOutgrownBy(size: number): boolean {
    return this.#end > 0 && size > this.#end;
  }

  /** Where the last whole append of a file of `size` bytes ends. Call it under the lock. */
  look(fd: number, size: number): number {
    if (size === this.#end) return size;
    // Shorter than what was seen: somebody cut the file, so nothing known about it holds.
    if (size < this.#end) this.#forget();
    this.#recent.load(fd, this.#end, size);
    this.#end = this.#recent.endsAppend ? size : endOfAppends(fd, size);
    return this.#end;
  }

  /** The head of `stream` among the lines before `end`. @throws {LogCorruptError} */
  at(fd: number, stream: string, end: number): StreamHead {
    const known = this.#start(stream, end);
    if (known.upTo === end) return known.head;
    const found = findHead(fd, this.#file, stream, { from: known.upTo, end }, this.#recent);
    return this.#note(stream, found ?? known.head, end);
  }

  /** Notes that `heads` were written, and that the file now ends at `end`. Call it under the lock. */
  wrote(heads: ReadonlyMap<string, StreamHead>, end: number): void {
    for (const [stream, head] of heads) this.#note(stream, head, end);
    this.#end = end;
  }

  /** Whether finding the head of `stream` means reading much: {@link catchUp} before taking the lock. */
  isFarBehind(stream: string, end: number): boolean {
    return end - this.#start(stream, end).upTo > SEARCH_WINDOW_BYTES;
  }

  /**
   * Brings `stream` up to date and lets the event loop run meanwhile. Needs no lock: what is added
   * while it searches is found by {@link at}. @throws {LogCorruptError}
   */
  async catchUp(fd: number, stream: string): Promise<StreamHead> {
    const end = endOfAppends(fd, sizeOf(fd));
    const known = this.#start(stream, end);
    const found = await findHeadInTurns(fd, this.#file, stream, { from: known.upTo, end });
    return this.#note(stream, found ?? known.head, end);
  }

  /** Notes the head of `stream` among the lines before `upTo`. */
  #note(stream: string, head: StreamHead, upTo: number): StreamHead {
    const known = this.#known.get(stream);
    if (known === undefined || known.upTo <= upTo) this.#known.set(stream, { head, upTo });
    return head;
  }

  #start(stream: string, end: number): KnownHead {
    const known = this.#known.get(stream);
    if (known && known.upTo <= end) return known;
    if (known) this.#forget();
    return { head: EMPTY_HEAD, upTo: 0 };
  }

  #forget(): void {
    this.#known.clear();
    this.#end = 0;
  }
}

/** What is known of the heads, for as long as the file stays the same one. */
export function rememberHeads(path: string): (file: AppendFile) => StreamHeads {
  let known: { file: AppendFile; heads: StreamHeads } | undefined;
  return (file) => {
    if (known?.file !== file) known = { file, heads: new StreamHeads(path) };
    return known.heads;
  };
}
