import { readSync } from 'node:fs';
import { NEWLINE } from './line-bytes.ts';
import { MAX_LINE_BYTES } from '../line/line-codec.ts';

const FIRST_WINDOW_BYTES = 4_096;

/** The line that ends at `position`, without its newline; `undefined` when none ends there. */
export function lineBefore(fd: number, position: number): Buffer | undefined {
  for (let windowBytes = FIRST_WINDOW_BYTES; ; windowBytes *= 2) {
    const start = Math.max(0, position - windowBytes);
    const window = Buffer.allocUnsafe(position - start);
    const size = readSync(fd, window, 0, window.length, start);
    if (size < window.length || window[size - 1] !== NEWLINE) return undefined;
    const line = window.subarray(0, size - 1);
    const newline = line.lastIndexOf(NEWLINE);
    if (newline !== -1) return line.subarray(newline + 1);
    if (start === 0) return line;
    if (windowBytes > MAX_LINE_BYTES) return undefined;
  }
}
