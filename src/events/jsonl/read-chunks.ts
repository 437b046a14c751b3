import { read, readSync } from 'node:fs';
import { NEWLINE } from './line-bytes.ts';
import { MAX_LINE_BYTES } from '../line/line-codec.ts';
import { lineError } from './log-errors.ts';

/** Whole lines, newlines included, as they stand in the file. */
export type Chunk = { readonly offset: number; readonly bytes: Buffer };

const CHUNK_BYTES = 262_144;
/**
 * What is handed out at once. The events of a piece are alive together while they are looked at: the
 * fewer, the less V8 keeps of them, and the less its heap grows over a long read.
 */
const PIECE_BYTES = 16_384;
/** So little is read at once: a turn of the thread pool costs more. */
const SYNC_READ_BYTES = 65_536;

/**
 * The lines between `from` and `end`, both at line boundaries, in chunks of about 16 KB. They are
 * read 256 KB at a time, the next ones while the caller looks at these; a chunk's bytes are valid until
 * the next one is asked for.
 *
 * @throws {LogCorruptError} for a line longer than {@link MAX_LINE_BYTES}.
 */
export async function* readChunks(
  fd: number,
  file: string,
  from: number,
  end: number,
): AsyncGenerator<Chunk> {
  if (end <= from) return;
  let buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - from));
  let spare = Buffer.alloc(0);
  let reading = fill(fd, buffer, from);
  try {
    for (let offset = from; offset < end;) {
      const size = await reading;
      const lines = buffer.subarray(0, size).lastIndexOf(NEWLINE) + 1;
      if (lines === 0) {
        // Nothing at all: the file was cut while it was read, and what is gone is not there to read.
        if (size === 0) return;
        if (size > MAX_LINE_BYTES) {
          throw lineError(file, fd, { offset, reason: `it is longer than ${MAX_LINE_BYTES} bytes` });
        }
        buffer = Buffer.allocUnsafe(Math.min(size * 2, end - offset));
        reading = fill(fd, buffer, offset);
        continue;
      }
      const chunk = { offset, bytes: buffer.subarray(0, lines) };
      offset += lines;
      const nextBytes = Math.min(CHUNK_BYTES, end - offset);
      const next = spare.length === nextBytes ? spare : Buffer.allocUnsafe(nextBytes);
      spare = buffer;
      buffer = next;
      reading = fill(fd, buffer, offset);
      yield* inPieces(chunk);
    }
  } finally {
    // The descriptor may be closed only when nobody reads from it any more.
    await reading;
  }
}

/** The same lines, piece by piece. */
function* inPieces({ offset, bytes }: Chunk): Generator<Chunk> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, Math.min(start + PIECE_BYTES, bytes.length) - 1) + 1;
    yield { offset: offset + start, bytes: bytes.subarray(start, end) };
    start = end;
  }
}

/** Fills `buffer` from `position` as far as the file reaches. */
function fill(fd: number, buffer: Buffer, position: number): Promise<number> | number {
  if (buffer.length > SYNC_READ_BYTES) return fillAsync(fd, buffer, position);
  let size = 0;
  for (;;) {
    const got = readSync(fd, buffer, size, buffer.length - size, position + size);
    size += got;
    if (got === 0 || size === buffer.length) return size;
  }
}

async function fillAsync(fd: number, buffer: Buffer, position: number): Promise<number> {
  let size = 0;
  for (;;) {
    const got = await readInto(fd, buffer.subarray(size), position + size);
    size += got;
    if (got === 0 || size === buffer.length) return size;
  }
}

function readInto(fd: number, buffer: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, buffer.length, position, (error, size) => (error ? reject(error) : resolve(size)));
  });
}
