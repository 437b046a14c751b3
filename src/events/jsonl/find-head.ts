import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { streamOf } from '../envelope.ts';
import type { StreamHead } from '../log/event-log.ts';
import { lineError } from './log-errors.ts';
import type { RecentBytes } from './recent-bytes.ts';
import { NEWLINE, subjectPrefix } from './line-bytes.ts';
import { hashLine } from '../line/line-codec.ts';
import { bytesBetween } from './windows.ts';

/** A part of the file: whole lines only. */
export type LineRange = { readonly from: number; readonly end: number };

/** Bytes looked at in one step. A step of this size takes well under a millisecond. */
export const SEARCH_WINDOW_BYTES = 262_144;

const QUOTE = 0x22;
const SLASH = 0x2f;

const candidateSchema = z.looseObject({ subject: z.string(), streamversion: z.int().positive() });
/** Made with the first line found. Looking happens under the lock, where every microsecond counts. */
let compiled: typeof candidateSchema | undefined;

/**
 * Looks backwards in `range` for the last line of `stream`. Other streams' lines are skipped
 * unparsed; checking the whole chain is for readers.
 *
 * @throws {LogCorruptError} when the line found is damaged.
 */
export function findHead(
  fd: number,
  file: string,
  stream: string,
  range: LineRange,
  recent?: RecentBytes,
): StreamHead | undefined {
  const search = new HeadSearch(fd, file, stream, range, recent);
  while (!search.isOver) {
    const head = search.step();
    if (head) return head;
  }
  return undefined;
}

/** The same for a long range: lets the event loop run between windows. */
export async function findHeadInTurns(
  fd: number,
  file: string,
  stream: string,
  range: LineRange,
): Promise<StreamHead | undefined> {
  const search = new HeadSearch(fd, file, stream, range);
  while (!search.isOver) {
    const head = search.step();
    if (head) return head;
    await nextTurn();
  }
  return undefined;
}

class HeadSearch {
  readonly #recent: RecentBytes | undefined;
  readonly #fd: number;
  readonly #file: string;
  readonly #stream: string;
  readonly #prefix: Buffer;
  readonly #from: number;
  #end: number;
  #windowBytes = SEARCH_WINDOW_BYTES;

  constructor(fd: number, file: string, stream: string, range: LineRange, recent?: RecentBytes) {
    this.#recent = recent;
    this.#fd = fd;
    this.#file = file;
    this.#stream = stream;
    this.#prefix = Buffer.from(subjectPrefix(stream));
    this.#from = range.from;
    this.#end = range.end;
  }

  get isOver(): boolean {
    return this.#end <= this.#from;
  }

  /** Searches the last window of what is left. */
  step(): StreamHead | undefined {
    const start = Math.max(this.#from, this.#end - this.#windowBytes);
    const read = this.#recent?.view(start, this.#end) ?? bytesBetween(this.#fd, start, this.#end);
    // The window may begin inside a line: that line belongs to the next window.
    const whole = start === this.#from ? 0 : read.indexOf(NEWLINE) + 1;
    if (start > this.#from && whole === read.length) {
      this.#windowBytes *= 2;
      return undefined;
    }
    this.#end = start + whole;
    return this.#lastIn(read.subarray(whole), start + whole);
  }

  #lastIn(lines: Buffer, offset: number): StreamHead | undefined {
    let at = lines.lastIndexOf(this.#prefix);
    while (at !== -1) {
      const next = lines[at + this.#prefix.length];
      const lineStart = lines.lastIndexOf(NEWLINE, at) + 1;
      if (next === QUOTE || next === SLASH) {
        const head = this.#headFrom(
          lines.subarray(lineStart, lines.indexOf(NEWLINE, at)),
          offset + lineStart,
        );
        if (head) return head;
      }
      // A negative start would count from the end of the buffer.
      at = lineStart === 0 ? -1 : lines.lastIndexOf(this.#prefix, lineStart - 1);
    }
    return undefined;
  }

  /** The bytes may stand nested in another stream's data, so the line itself has the last word. */
  #headFrom(line: Buffer, offset: number): StreamHead | undefined {
    const damaged = (reason: string) => lineError(this.#file, this.#fd, { offset, reason });
    let json: unknown;
    try {
      json = JSON.parse(line.toString('utf8'));
    } catch {
      throw damaged('it is not JSON');
    }
    compiled ??= z.compile(candidateSchema);
    if (!compiled.validate(json)) throw damaged('it has no subject or streamversion');
    if (streamOf(json.subject) !== this.#stream) return undefined;
    return { version: json.streamversion, hash: hashLine(line) };
  }
}
