import { closeSync, fstatSync, readSync } from 'node:fs';
import { endOf } from '../../lib/text/end-of.ts';
import { isAside, parseCastEvent } from './cast.ts';
import { openIfThere } from './cast-lines.ts';
import { markedVersion } from './marker-labels.ts';
import { segmentPath, segmentsOf } from './transcript-files.ts';

/** As much of what was written is given out, in characters: its end. */
export const MOST_CHARACTERS = 262_144;
/** What lies between two marks is divided into parts of about so many bytes. */
const PART_BYTES = 65_536;
/** Characters of parts that are kept: a step reads what is new. */
const KEPT_CHARACTERS = 4 * MOST_CHARACTERS;

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** Bytes of a line that tell whether it is a mark. */
const HEAD_BYTES = 48;
const MARK = /^\s*\[\s*[\d.eE+-]+\s*,\s*"m"\s*,/;

/** Complete lines of one segment, by their bytes, after some event and before another one. */
type Part = {
  readonly segment: number;
  readonly from: number;
  to: number;
};

/** The end of what was written; `isCut`: more was written before it than is given out. */
export type WrittenEnd = { readonly text: string; readonly isCut: boolean };

/**
 * What one agent had written when an event happened, as far as its transcript has it. Transcripts mark the events of their
 * task: times of two programs need not agree. It is looked through once for the marks, then whenever it has become longer.
 */
export class TranscriptIndex {
  readonly #path: string;
  readonly #parts: Part[] = [];
  /** How many parts lie before each mark. */
  readonly #marks: { readonly version: number; readonly parts: number }[] = [];
  /** Texts of parts that have ended, the latest last. */
  readonly #texts = new Map<number, string>();
  #kept = 0;

  /** @param path - Absolute: the first segment. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Characters that are kept, however long it is. */
  get keptCharacters(): number {
    return this.#kept;
  }

  /**
   * The end of what was written until an event, with plain newlines, without what is only kept. What goes on behind segments that
   * were removed stands behind `…`, as it may be no beginning of a line.
   *
   * @param version - Of the event in its stream.
   */
  until(version: number): WrittenEnd {
    if ((this.#marks.at(-1)?.version ?? 0) < version) this.#readOn();
    let at = this.#partsUntil(version);
    let text = '';
    let behind: number | undefined;
    let isLost = false;
    // One more than is given out tells whether that begins a line.
    for (; at > 0 && text.length <= MOST_CHARACTERS; at -= 1) {
      const segment = this.#parts[at - 1]?.segment ?? 0;
      const before = this.#textOf(at - 1);
      isLost ||= before === undefined || (behind !== undefined && behind > segment + 1);
      if (before === undefined) continue;
      const gap = isLost && behind !== undefined ? (before.endsWith('\n') ? '…' : '\n…') : '';
      text = before + gap + text;
      behind = segment;
      isLost = false;
    }
    const isBehindLost = at === 0 && behind !== undefined && (isLost || behind > 1);
    const read = isBehindLost ? `…${text}` : text;
    return { text: endOf(read, MOST_CHARACTERS), isCut: read.length > MOST_CHARACTERS };
  }

  /** How many parts lie before the first mark of an event, or of a later one; all, where there is none. */
  #partsUntil(version: number): number {
    let [low, high] = [0, this.#marks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#marks[middle]?.version ?? 0) < version) low = middle + 1;
      else high = middle;
    }
    return this.#marks[low]?.parts ?? this.#parts.length;
  }

  /** `undefined`: its segment was removed before it was read. */
  #textOf(at: number): string | undefined {
    const kept = this.#texts.get(at);
    const part = this.#parts[at];
    if (!part) return undefined;
    if (part.from === part.to) return '';
    const lines = kept === undefined ? linesIn(segmentPath(this.#path, part.segment), part) : [];
    if (lines === undefined) return undefined;
    const text = kept ?? textOf(lines).slice(-MOST_CHARACTERS - 1);
    // The last one may become longer.
    if (at === this.#parts.length - 1) return text;
    this.#texts.delete(at);
    this.#texts.set(at, text);
    if (kept === undefined) this.#kept += text.length;
    for (const [old, { length }] of this.#texts) {
      if (this.#kept <= KEPT_CHARACTERS || old === at) break;
      this.#texts.delete(old);
      this.#kept -= length;
    }
    return text;
  }

  #readOn(): void {
    const last = this.#parts.at(-1);
    for (const segment of segmentsOf(this.#path)) {
      if (last && segment < last.segment) continue;
      const from = segment === last?.segment ? last.to : 0;
      let part = segment === last?.segment ? last : undefined;
      for (const { start, end, head } of linesFrom(segmentPath(this.#path, segment), from)) {
        if (!part || part.to - part.from >= PART_BYTES) part = this.#begin(segment, start);
        part.to = end;
        const version = MARK.test(head) ? this.#versionAt(segment, start, end) : undefined;
        if (version === undefined) continue;
        this.#marks.push({ version, parts: this.#parts.length });
        part = this.#begin(segment, end);
      }
    }
  }

  #begin(segment: number, from: number): Part {
    const part = { segment, from, to: from };
    this.#parts.push(part);
    return part;
  }

  /** Of the event that a mark stands for. */
  #versionAt(segment: number, from: number, to: number): number | undefined {
    const [line = ''] = linesIn(segmentPath(this.#path, segment), { from, to }) ?? [];
    const [, code, label] = parseCastEvent(line) ?? [];
    const version = code === 'm' ? markedVersion(label ?? '') : undefined;
    // They rise: one that does not was not written by Clifford.
    return version !== undefined && version > (this.#marks.at(-1)?.version ?? 0) ? version : undefined;
  }
}

/** With plain newlines: none is in two events. */
function textOf(lines: readonly string[]): string {
  return lines
    .map((line) => {
      const [, code, data = ''] = parseCastEvent(line) ?? [];
      return code === 'o' && !isAside(data) ? data.replaceAll('\r\n', '\n') : '';
    })
    .join('');
}

/** Where the complete lines of a file are, from a byte on, and how each begins. */
function* linesFrom(
  file: string,
  from: number,
): Generator<{ readonly start: number; readonly end: number; readonly head: string }> {
  const fd = openIfThere(file);
  if (fd === undefined) return;
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let start = from;
    let head = '';
    for (let position = from; ;) {
      const size = readSync(fd, chunk, 0, chunk.length, position);
      if (size === 0) return;
      let at = 0;
      while (at < size) {
        const newline = chunk.subarray(0, size).indexOf(NEWLINE, at);
        const until = newline === -1 ? size : newline;
        if (head.length < HEAD_BYTES)
          head += chunk.toString('latin1', at, Math.min(until, at + HEAD_BYTES - head.length));
        if (newline === -1) break;
        const end = position + newline + 1;
        yield { start, end, head };
        start = end;
        head = '';
        at = newline + 1;
      }
      position += size;
    }
  } finally {
    closeSync(fd);
  }
}

/** The lines between two bytes of a file. `undefined`: it is not there any more. */
function linesIn(
  file: string,
  { from, to }: { readonly from: number; readonly to: number },
): string[] | undefined {
  const fd = openIfThere(file);
  if (fd === undefined) return undefined;
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(to, fstatSync(fd).size) - from));
    const size = readSync(fd, bytes, 0, bytes.length, from);
    return bytes.toString('utf8', 0, size).split('\n');
  } finally {
    closeSync(fd);
  }
}
