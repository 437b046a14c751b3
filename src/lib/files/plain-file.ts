import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  type ReadStream,
  type Stats,
} from 'node:fs';
import { isMissing } from '../system-error.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** What a path names is no plain file, or too long a one. The message is the reason: `it is a folder`. */
export class NotPlainFileError extends Error {
  readonly code = 'NOT_A_PLAIN_FILE';
}

/**
 * Opens a plain file, and nothing else: a named pipe would be waited for, a device may never end or do
 * something when it is opened. Links are followed, unless `flags` has `O_NOFOLLOW`.
 *
 * @param mode - Of a file that is made, where `flags` has `O_CREAT`.
 * @throws {NotPlainFileError} and the errors of the system.
 */
export function openPlainFile(path: string, flags: number = O_RDONLY, mode?: number): number {
  const look = (flags & O_NOFOLLOW) === 0 ? statSync : lstatSync;
  const named = look(path, { throwIfNoEntry: false });
  if (named) assertPlain(named);
  // Without waiting, should something else have taken its place since.
  const fd = openSync(path, flags | O_NONBLOCK | O_NOCTTY, mode);
  try {
    assertPlain(fstatSync(fd));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** How a file is opened; `maxBytes`: a longer one is refused; `flags`: as for {@link openPlainFile}. */
type Reading = { readonly maxBytes: number; readonly flags?: number };

/** What a file holds, and its permissions: `0o600`. */
export type PlainFile = { readonly bytes: Buffer; readonly mode: number };

/**
 * Reads a plain file, and nothing else, at once.
 *
 * @throws {NotPlainFileError} and the errors of the system.
 */
export function readPlainFile(path: string, reading: Reading): Buffer {
  return readWithMode(path, reading).bytes;
}

/** The same, with what is to be kept of the file when it is replaced. */
export function readWithMode(path: string, { maxBytes, flags = O_RDONLY }: Reading): PlainFile {
  const fd = openPlainFile(path, flags);
  try {
    const { size, mode } = fstatSync(fd);
    if (size > maxBytes) throw tooLarge(size, maxBytes);
    const buffer = Buffer.alloc(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read) {
      read = readSync(fd, buffer, length, size - length, null);
    }
    return { bytes: buffer.subarray(0, length), mode: mode & 0o7777 };
  } finally {
    closeSync(fd);
  }
}

/** The same for a file of our own: a link in its place is refused, as it may lead anywhere. */
export function readOwnFile(path: string, { maxBytes }: { readonly maxBytes: number }): Buffer {
  return readPlainFile(path, { maxBytes, flags: O_RDONLY | O_NOFOLLOW });
}

/** The text of a file of our own; `undefined` where there is none, or no plain one. */
export function ownText(path: string, limit: { readonly maxBytes: number }): string | undefined {
  try {
    return readOwnFile(path, limit).toString('utf8');
  } catch (error) {
    if (isMissing(error) || error instanceof NotPlainFileError) return undefined;
    throw error;
  }
}

/**
 * Writes a file of our own as a whole, mode 0600, where nobody reads while it is written. What is no plain file, a link
 * among it, is refused.
 *
 * @throws {NotPlainFileError} and the errors of the system.
 */
export function writeOwnFile(path: string, content: string | Uint8Array): void {
  const fd = openPlainFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(fd, content);
  } finally {
    closeSync(fd);
  }
}

/**
 * Writes a file that is not there yet.
 *
 * @throws the errors of the system, `EEXIST` when something is there.
 */
export function writeNewFile(path: string, content: string | Uint8Array, mode: number): void {
  writeFileSync(path, content, { mode, flag: 'wx' });
}

/** Writes all of it, however little the system takes at a time. */
export function writeAll(fd: number, content: string | Uint8Array): void {
  writeFileSync(fd, content);
}

/**
 * The bytes of a plain file, in pieces, to be read to the end or destroyed. Links are followed, unless `flags` has
 * `O_NOFOLLOW`.
 *
 * @throws {NotPlainFileError} and the errors of the system.
 */
export function streamPlainFile(
  path: string,
  { flags = O_RDONLY, signal }: { flags?: number; signal?: AbortSignal } = {},
): ReadStream {
  return createReadStream(path, { fd: openPlainFile(path, flags), ...(signal && { signal }) });
}

function tooLarge(sizeBytes: number, maxBytes: number): NotPlainFileError {
  const [actual, most] = [sizeBytes, maxBytes].map((count) => count.toLocaleString('en-US'));
  return new NotPlainFileError(`it is too large: ${actual} bytes, and at most ${most} are read`);
}

function assertPlain(found: Stats): void {
  if (found.isFile()) return;
  throw new NotPlainFileError(`it is ${kindOf(found)}`);
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isCharacterDevice() || found.isBlockDevice()) return 'a device';
  return 'not a file';
}
