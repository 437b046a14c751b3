import { closeSync, constants, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { openPlainFile, writeAll } from '../../lib/files/plain-file.ts';
import { castLine, type CastCode, type CastHeader } from '../../workflow/transcripts/cast.ts';
import { removedLabel } from '../../workflow/transcripts/marker-labels.ts';
import { segmentPath } from '../../workflow/transcripts/transcript-files.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** How long a transcript may get, in bytes. */
export type CastLimits = {
  /** Of one segment. */
  readonly segmentBytes: number;
  /** Of all together: the first and the newest are kept. */
  readonly totalBytes: number;
};

/** @internal for tests */
export const DEFAULT_LIMITS: CastLimits = { segmentBytes: 16 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

/** Nobody is there to resize it: wide enough for what agents print, and on most screens. */
const TERM = { cols: 120, rows: 40, type: 'xterm-256color' };

/**
 * Writes a transcript: segments that are each a cast by themselves, files of mode 0600. What is
 * given is written at once, in whole lines, without a sync: a reader sees it live, a crash of this process leaves what
 * was written, a power cut may take some of it.
 */
export class CastWriter {
  readonly #path: string;
  readonly #title: string;
  readonly #limits: CastLimits;
  readonly #startedAt = performance.now();
  /** Sizes of the segments that are there, by number. */
  readonly #sizes = new Map<number, number>();
  #segment = 0;
  #fd: number | undefined;
  /** Time of the last event, since the start. */
  #timeMs = 0;

  /**
   * @param path - Absolute: the first segment.
   * @throws when the file cannot be made, or its folder is a link.
   */
  constructor(
    path: string,
    { title, limits = DEFAULT_LIMITS }: { title: string; limits?: CastLimits | undefined },
  ) {
    this.#path = path;
    this.#title = title;
    this.#limits = limits;
    makeOwnFolder(dirname(path));
    this.#beginSegment();
  }

  /** Writes events that happened now. @throws the system's error when they cannot be written */
  write(code: CastCode, ...data: readonly string[]): void {
    const now = Math.round(performance.now() - this.#startedAt);
    const since = (at: number) => (at === 0 ? (now - this.#timeMs) / 1000 : 0);
    const lines = data.map((each, at) => castLine([since(at), code, each])).join('');
    if (this.#size() + Buffer.byteLength(lines) > this.#limits.segmentBytes) this.#rotate();
    this.#append(lines);
    this.#timeMs = now;
  }

  /** Safe to call twice. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #size(): number {
    return this.#sizes.get(this.#segment) ?? 0;
  }

  #append(lines: string): void {
    if (this.#fd === undefined) throw new Error('it is closed');
    writeAll(this.#fd, lines);
    this.#sizes.set(this.#segment, this.#size() + Buffer.byteLength(lines));
  }

  #rotate(): void {
    this.close();
    const removed = this.#makeRoom();
    this.#beginSegment();
    const [from, to] = [removed.at(0), removed.at(-1)];
    if (from === undefined || to === undefined) return;
    this.#append(castLine([0, 'm', removedLabel({ from, to })]));
  }

  /** Removes the oldest segments but the first, until another one has room. */
  #makeRoom(): number[] {
    const removed: number[] = [];
    const total = () => [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    while (this.#sizes.size > 2 && total() + this.#limits.segmentBytes > this.#limits.totalBytes) {
      const [, second = 0] = this.#sizes.keys();
      rmSync(segmentPath(this.#path, second), { force: true });
      this.#sizes.delete(second);
      removed.push(second);
    }
    return removed;
  }

  #beginSegment(): void {
    this.#segment += 1;
    // The agent can tell what the later ones will be called: a link that it put there is not followed.
    const flags = this.#segment === 1 ? O_NOFOLLOW : O_EXCL;
    const path = segmentPath(this.#path, this.#segment);
    this.#fd = openPlainFile(path, O_WRONLY | O_APPEND | O_CREAT | flags, 0o600);
    const part = this.#segment === 1 ? '' : ` (part ${this.#segment})`;
    const header: CastHeader = {
      version: 3,
      term: TERM,
      timestamp: Math.floor(Date.now() / 1000),
      title: `${this.#title}${part}`,
    };
    this.#append(castLine(header));
  }
}
