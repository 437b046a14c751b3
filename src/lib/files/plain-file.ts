import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import type { BigIntStats, Stats } from 'node:fs';
import { isMissing, systemCodeOf } from '../system-error.ts';

/** A larger file is refused without being read, in bytes. */
const MAX_BYTES = 1_048_576;

/** Which version of which file: another one has another key. */
export type Stamp = {
  readonly key: string;
  readonly mtimeNs: bigint;
  /** When anything about it changed, its name too. Nobody can set that clock back. */
  readonly ctimeNs: bigint;
};

/** Says what a file cannot be used for, in words for its author. */
class Unusable extends Error {}

/** Which version of a file lies there; `undefined` when there is none, or none that can be looked at. */
export function stampOf(path: string): Stamp | undefined {
  const found = look(path);
  if (!found) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { key: `${dev}:${ino}:${size}:${mtimeNs}`, mtimeNs, ctimeNs };
}

/**
 * Reads a file that may be anything. Links are not followed, nothing but plain files is opened, and
 * nothing large is read: then there is a reason. `undefined`: there is nothing.
 */
export function readPlainFile(path: string): Buffer | { readonly reason: string } | undefined {
  try {
    return readBytes(path);
  } catch (error) {
    const reason = whyUnusable(error);
    return reason === undefined ? undefined : { reason };
  }
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
  if (isMissing(error)) return undefined;
  const code = systemCodeOf(error);
  return code === 'ELOOP' ? 'it is a symbolic link' : `it cannot be read (${code})`;
}
