import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

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

/**
 * Reads a plain file, and nothing else.
 *
 * @param options - `maxBytes`: a longer one is refused. `flags`: as for {@link openPlainFile}.
 * @throws {NotPlainFileError} and the errors of the system.
 */
export function readPlainFile(
  path: string,
  { maxBytes = Infinity, flags = O_RDONLY }: { maxBytes?: number; flags?: number } = {},
): Buffer {
  const fd = openPlainFile(path, flags);
  try {
    const { size } = fstatSync(fd);
    if (size > maxBytes) throw tooLarge(size, maxBytes);
    const buffer = Buffer.alloc(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read) {
      read = readSync(fd, buffer, length, size - length, null);
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(fd);
  }
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
