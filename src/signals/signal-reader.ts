import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import type { BigIntStats, Stats } from 'node:fs';
import type { z } from 'zod';
import { plainReason } from './plain-reason.ts';

/** A larger file is refused without being read, in bytes. */
const MAX_BYTES = 1_048_576;

/** How long a file that does not parse may lie unchanged before it is refused, in ms. */
const PATIENCE_MS = 2_000;

/** Which version of which file: another one has another key. */
export type Stamp = { readonly key: string; readonly mtimeNs: bigint };

/** What a look at a file found. */
export type Reading<T> =
  | { readonly state: 'absent' }
  /** It does not parse yet: somebody may be writing it. Look again soon. */
  | { readonly state: 'unfinished' }
  /** It was refused before and could not be moved away. */
  | { readonly state: 'refused' }
  | { readonly state: 'bad'; readonly reason: string; readonly stamp: Stamp }
  | { readonly state: 'good'; readonly value: T; readonly digest: string; readonly stamp: Stamp };

/** Says what a file cannot be used for, in words for its author. */
class Unusable extends Error {}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads files that other programs write, perhaps at this moment: one that does not parse counts as
 * unfinished until it has not changed for two seconds. Links are not followed, nothing but plain
 * files is opened, and nothing large is read.
 */
export class SignalReader {
  /** Files that do not parse, and since when they have not changed. */
  readonly #unfinished = new Map<string, { readonly key: string; readonly since: number }>();
  readonly #refused = new Map<string, string>();

  /** Looks at a file once. */
  read<T>(path: string, schema: z.ZodType<T>): Reading<T> {
    const stamp = stampOf(path);
    if (!stamp) return this.#absent(path);
    if (this.#refused.get(path) === stamp.key) return { state: 'refused' };
    let bytes: Buffer;
    try {
      bytes = readBytes(path);
    } catch (error) {
      const reason = whyUnusable(error);
      if (reason === undefined) return this.#absent(path);
      return { state: 'bad', reason, stamp };
    }
    const json = parse(bytes);
    if (!json.parsed) return this.#wait(path, stamp, json.reason);
    this.#unfinished.delete(path);
    const fits = schema.safeParse(json.value);
    if (!fits.success) return { state: 'bad', reason: plainReason(fits.error, json.value), stamp };
    const digest = createHash('sha256').update(bytes).digest('base64url');
    return { state: 'good', value: fits.data, digest, stamp };
  }

  /** Passes a file over from now on, until it changes. */
  refuse(path: string, { key }: Stamp): void {
    this.#refused.set(path, key);
  }

  /** When an unfinished file is to be judged, in ms from now; `undefined`: there is none. */
  nextJudgementIn(): number | undefined {
    if (this.#unfinished.size === 0) return undefined;
    const oldest = Math.min(...[...this.#unfinished.values()].map(({ since }) => since));
    return Math.max(0, oldest + PATIENCE_MS - performance.now());
  }

  #absent(path: string): { state: 'absent' } {
    this.#unfinished.delete(path);
    this.#refused.delete(path);
    return { state: 'absent' };
  }

  #wait(path: string, stamp: Stamp, reason: string): Reading<never> {
    const waiting = this.#unfinished.get(path);
    if (waiting?.key !== stamp.key) {
      this.#unfinished.set(path, { key: stamp.key, since: performance.now() });
      return { state: 'unfinished' };
    }
    if (performance.now() - waiting.since < PATIENCE_MS) return { state: 'unfinished' };
    this.#unfinished.delete(path);
    return { state: 'bad', reason, stamp };
  }
}

/** Which version of a file lies there; `undefined` when there is none, or none that can be looked at. */
export function stampOf(path: string): Stamp | undefined {
  const found = look(path);
  if (!found) return undefined;
  const { dev, ino, size, mtimeNs } = found;
  return { key: `${dev}:${ino}:${size}:${mtimeNs}`, mtimeNs };
}

function look(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder we may not enter, or a file where a folder should be: as if it were not there.
    return undefined;
  }
}

function readBytes(path: string): Buffer {
  assertUsable(lstatSync(path));
  // Without waiting for a writer, should a pipe have taken its place since.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(fd);
    assertUsable(found);
    const buffer = Buffer.alloc(found.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(fd, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

function assertUsable(found: Stats): void {
  if (found.isSymbolicLink()) throw new Unusable('it is a symbolic link');
  if (found.isDirectory()) throw new Unusable('it is a folder');
  if (found.isFIFO()) throw new Unusable('it is a named pipe');
  if (!found.isFile()) throw new Unusable('it is not a file');
  if (found.size > MAX_BYTES) throw oversized(found.size);
}

function oversized(bytes: number): Unusable {
  const [actual, most] = [bytes, MAX_BYTES].map((count) => count.toLocaleString('en-US'));
  return new Unusable(`it is oversized: ${actual} bytes, and no more than ${most} are read`);
}

/** `undefined`: it is gone. */
function whyUnusable(error: unknown): string | undefined {
  if (error instanceof Unusable) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) throw error;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  return code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${code})`;
}

function parse(bytes: Buffer): { parsed: true; value: unknown } | { parsed: false; reason: string } {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { parsed: false, reason: 'it is not UTF-8 text' };
  }
  if (text.trim() === '') return { parsed: false, reason: 'it is empty' };
  try {
    return { parsed: true, value: JSON.parse(text) };
  } catch {
    return { parsed: false, reason: 'it is not valid JSON' };
  }
}
