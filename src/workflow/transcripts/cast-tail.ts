import { closeSync, existsSync, fstatSync, readSync, statSync } from 'node:fs';
import { isAside, parseCastEvent } from './cast.ts';
import { openIfThere } from './cast-lines.ts';
import { segmentPath, segmentsOf } from './transcript-files.ts';

const NEWLINE = 0x0a;

type Place = { readonly segment: number; readonly offset: number };

/** Reads what an attempt prints from its transcript while it grows, across its segments. */
export class CastTail {
  readonly #path: string;
  readonly #backlogBytes: number;
  /** Everything before has been given out; `undefined`: nothing was there yet. */
  #place: Place | undefined;

  /**
   * @param path - Absolute: the first segment, as `agent.started` names it; it need not be there yet.
   * @param backlogBytes - As much is read of what was written before.
   */
  constructor(path: string, backlogBytes: number) {
    this.#path = path;
    this.#backlogBytes = backlogBytes;
  }

  /** The text that came since the last call, with plain newlines, without what is only kept. */
  read(): string {
    let text = '';
    for (this.#place ??= this.#begin(); this.#place;) {
      const { segment } = this.#place;
      // Looked up first: a segment that has a next one is complete.
      const next = this.#after(segment);
      text += this.#readOn(this.#place);
      if (next === undefined) break;
      this.#place = { segment: next, offset: 0 };
    }
    return text.replaceAll('\r\n', '\n');
  }

  /** Where the backlog begins: in the last segments, at the beginning of a line. */
  #begin(): Place | undefined {
    let left = this.#backlogBytes;
    let place: Place | undefined;
    for (const segment of segmentsOf(this.#path).reverse()) {
      const file = segmentPath(this.#path, segment);
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      place = { segment, offset: left < size ? lineStart(file, size - left) : 0 };
      left -= size;
      if (left <= 0) break;
    }
    return place;
  }

  #after(segment: number): number | undefined {
    if (existsSync(segmentPath(this.#path, segment + 1))) return segment + 1;
    if (existsSync(segmentPath(this.#path, segment))) return undefined;
    // Whoever writes was so far ahead that it has been removed.
    return segmentsOf(this.#path).find((later) => later > segment);
  }

  #readOn({ segment, offset }: Place): string {
    const bytes = bytesFrom(segmentPath(this.#path, segment), offset);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#place = { segment, offset: offset + end };
    const lines = bytes.toString('utf8', 0, end).split('\n');
    return lines
      .map(parseCastEvent)
      .map((event) => (event?.[1] === 'o' && !isAside(event[2]) ? event[2] : ''))
      .join('');
  }
}

/** Where the first line begins that begins at `offset` or later; the end of the file when none does. */
function lineStart(file: string, offset: number): number {
  const bytes = bytesFrom(file, offset - 1);
  const newline = bytes.indexOf(NEWLINE);
  return newline === -1 ? offset - 1 + bytes.length : offset + newline;
}

/** Empty when the file is not there, or is shorter. */
function bytesFrom(file: string, offset: number): Buffer {
  const fd = openIfThere(file);
  if (fd === undefined) return Buffer.alloc(0);
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, fstatSync(fd).size - offset));
    let read = 0;
    while (read < bytes.length) {
      const size = readSync(fd, bytes, read, bytes.length - read, offset + read);
      if (size === 0) break;
      read += size;
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}
