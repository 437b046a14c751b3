import { closeSync, constants, readSync } from 'node:fs';
import { NotPlainFileError, openPlainFile } from '../../lib/files/plain-file.ts';
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

/** Opens a plain file for reading; `undefined` when there is none (any more): a link may lead anywhere. */
export function openIfThere(path: string): number | undefined {
  try {
    return openPlainFile(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const isNone = error instanceof NotPlainFileError || ['ENOENT', 'ELOOP'].includes(codeOf(error) ?? '');
    if (isNone) return undefined;
    throw error;
  }
}
