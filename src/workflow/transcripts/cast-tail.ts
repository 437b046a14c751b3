import { closeSync, existsSync, fstatSync, readSync, statSync } from 'node:fs';
import { isAside, parseCastEvent } from './cast.ts';
import { openIfThere } from './cast-lines.ts';
import { segmentPath, segmentsOf } from './transcript-files.ts';

const NEWLINE = 0x0a;
/** As much of what was written before is shown of what is followed, in bytes. */
export const BACKLOG_BYTES = 65_536;

/** So much before the backlog is looked at for how it ends, in bytes. */
const NEAR_BYTES = 65_536;

type Place = { readonly segment: number; readonly offset: number };

/** Reads what an attempt prints from its transcript while it grows, across its segments. */
export class CastTail {
  readonly #path: string;
  readonly #backlogBytes: number;
  /** Everything before has been given out; `undefined`: nothing was there yet. */
  #place: Place | undefined;
  #isCut = false;

  /**
   * @param path - Absolute: the first segment, as `agent.started` names it; it need not be there yet.
   * @param backlogBytes - As much is read of what was written before.
   */
  constructor(path: string, backlogBytes: number) {
    this.#path = path;
    this.#backlogBytes = backlogBytes;
  }

  /** Something is there that was written before what was read. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /**
   * The text that came since the last call, with plain newlines, without what is only kept. Where the first one begins in the middle of
   * a line, `…` stands before it; it begins a line of its own behind segments that were removed meanwhile.
   */
  read(): string {
    let text = '';
    if (!this.#place) {
      this.#place = this.#begin();
      if (this.#place && !this.#isAtLineStart(this.#place)) text = '…';
    }
    while (this.#place) {
      const { segment } = this.#place;
      // Looked up first: a segment that has a next one is complete.
      const next = this.#after(segment);
      const isThere = existsSync(segmentPath(this.#path, segment));
      text += this.#readOn(this.#place);
      if (next === undefined) break;
      if (!isThere || next > segment + 1) text += text.endsWith('\n') ? '…' : '\n…';
      this.#place = { segment: next, offset: 0 };
    }
    return text.replaceAll('\r\n', '\n');
  }

  /** Where the backlog begins: in the last segments, at the beginning of a line. */
  #begin(): Place | undefined {
    let left = this.#backlogBytes;
    let place: Place | undefined;
    const segments = segmentsOf(this.#path);
    for (const segment of segments.toReversed()) {
      const file = segmentPath(this.#path, segment);
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      place = { segment, offset: left < size ? lineStart(file, size - left) : 0 };
      left -= size;
      if (left <= 0) break;
    }
    this.#isCut = place !== undefined && (place.offset > 0 || place.segment !== segments[0]);
    return place;
  }

  /** Whether the text before a place ends with a line, as far as it is there and near. */
  #isAtLineStart({ segment, offset }: Place): boolean {
    if (offset === 0) return segment === 1 || this.#isAtLineStart({ segment: segment - 1, offset: Infinity });
    const file = segmentPath(this.#path, segment);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const from = Math.max(0, Math.min(offset, size) - NEAR_BYTES);
    const text = textIn(bytesFrom(file, from, offset));
    if (text !== '' || from > 0 || size === 0) return text.endsWith('\n');
    return this.#isAtLineStart({ segment, offset: 0 });
  }

  #after(segment: number): number | undefined {
    if (existsSync(segmentPath(this.#path, segment + 1))) return segment + 1;
    if (segment > 1 && existsSync(segmentPath(this.#path, segment))) return undefined;
    // Whoever writes was so far ahead that it has been removed, or all behind the first one.
    return segmentsOf(this.#path).find((later) => later > segment);
  }

  #readOn({ segment, offset }: Place): string {
    const bytes = bytesFrom(segmentPath(this.#path, segment), offset);
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    this.#place = { segment, offset: offset + end };
    return textIn(bytes.subarray(0, end));
  }
}

/** What complete lines say, without what is only kept. */
function textIn(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .split('\n')
    .map(parseCastEvent)
    .map((event) => (event?.[1] === 'o' && !isAside(event[2]) ? event[2] : ''))
    .join('');
}

/** Where the first line begins that begins at `offset` or later; the end of the file when none does. */
function lineStart(file: string, offset: number): number {
  const bytes = bytesFrom(file, offset - 1);
  const newline = bytes.indexOf(NEWLINE);
  return newline === -1 ? offset - 1 + bytes.length : offset + newline;
}

/** Empty when the file is not there, or is shorter. */
function bytesFrom(file: string, offset: number, end = Infinity): Buffer {
  const fd = openIfThere(file);
  if (fd === undefined) return Buffer.alloc(0);
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(end, fstatSync(fd).size) - offset));
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
