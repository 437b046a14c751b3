import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../../lib/system-error.ts';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * The complete lines of a file, without their ends. What a crash left without an end, or somebody is about to write, is not
 * among them. A file that is not there has none.
 */
export function* castLines(path: string): Generator<string> {
  const fd = openIfThere(path);
  if (fd === undefined) return;
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let unfinished: Buffer[] = [];
    for (let position = 0; ;) {
      const size = readSync(fd, chunk, 0, chunk.length, position);
      if (size === 0) return;
      position += size;
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1 && end < size; end = chunk.indexOf(NEWLINE, start)) {
        const line = Buffer.concat([...unfinished, chunk.subarray(start, end)]);
        unfinished = [];
        yield line.toString('utf8');
        start = end + 1;
      }
      unfinished.push(Buffer.from(chunk.subarray(start, size)));
    }
  } finally {
    closeSync(fd);
  }
}

/** A link may lead anywhere, and a pipe never end: neither is followed nor waited for. */
const READ_PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a plain file for reading; `undefined` when there is none (any more). */
export function openIfThere(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, READ_PLAIN);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return undefined;
}
