import { readSync } from 'node:fs';

const WINDOW_BYTES = 65_536;

/** The bytes of a file from `start` to `end`, as far as it has them, 64 KB at a time; valid until the next are asked for. */
export function* windowsOf(fd: number, start: number, end: number): Generator<Buffer> {
  const window = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, end - start));
  for (let position = start; position < end;) {
    const size = readSync(fd, window, 0, Math.min(window.length, end - position), position);
    if (size === 0) return;
    yield window.subarray(0, size);
    position += size;
  }
}

/** The bytes of a file from `start` to `end` at once, as far as it has them. */
export function bytesBetween(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start));
}
