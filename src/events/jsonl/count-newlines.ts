import { readSync } from 'node:fs';
import { NEWLINE } from './line-bytes.ts';

const WINDOW_BYTES = 65_536;

/** How many newlines stand before `end`. Reads the whole file up to there: for messages only. */
export function countNewlines(fd: number, end: number): number {
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  let count = 0;
  for (let position = 0; position < end;) {
    const size = readSync(fd, window, 0, Math.min(WINDOW_BYTES, end - position), position);
    if (size === 0) break;
    const read = window.subarray(0, size);
    for (let at = read.indexOf(NEWLINE); at !== -1; at = read.indexOf(NEWLINE, at + 1)) count += 1;
    position += size;
  }
  return count;
}
