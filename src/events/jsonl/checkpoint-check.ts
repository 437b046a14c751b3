import { readSync } from 'node:fs';
import type { Checkpoint } from '../event-log.ts';
import { hashLine, MAX_LINE_BYTES, NEWLINE } from './line-codec.ts';
import { sizeOf } from './tail.ts';

const FIRST_WINDOW_BYTES = 4_096;

/**
 * Why `checkpoint` does not belong to this file, or `undefined` when it does: the file reaches that
 * far, a line ends there, and it is the line the checkpoint was made after. An edit of the same
 * length further up goes unseen; only a full read finds it.
 */
export function checkpointFault(
  fd: number,
  { position, proof }: Pick<Checkpoint, 'position' | 'proof'>,
): string | undefined {
  if (position === 0) return undefined;
  const size = sizeOf(fd);
  if (size < position) return `the file ends at byte ${size}`;
  const line = lineBefore(fd, position);
  if (line === undefined) return 'no line ends there';
  return hashLine(line) === proof ? undefined : 'another line stands before it';
}

/** The line that ends at `position`, without its newline. */
function lineBefore(fd: number, position: number): Buffer | undefined {
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
