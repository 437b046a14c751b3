import { fstatSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { NEWLINE } from './line-codec.ts';

/** Bytes after the last newline of a log: what a crash left of a line that nobody was told about. */
export type TornTail = {
  /** Where they begin: the end of the last complete line. */
  readonly offset: number;
  readonly bytes: number;
};

const WINDOW_BYTES = 65_536;

/** The offset after the last newline before `size`; 0 when there is none. */
export function endOfLines(fd: number, size: number): number {
  const last = Buffer.allocUnsafe(1);
  if (size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)) return size;
  const window = Buffer.allocUnsafe(WINDOW_BYTES);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - WINDOW_BYTES);
    const read = readSync(fd, window, 0, end - start, start);
    const newline = window.subarray(0, read).lastIndexOf(NEWLINE);
    if (newline !== -1) return start + newline + 1;
    end = start;
  }
  return 0;
}

/**
 * The torn tail of the log at `path`, if it has one. A writer at work may show one for an instant;
 * one that stays comes from a crash, and the next append moves it to quarantine.
 */
export async function findTornTail(path: string): Promise<TornTail | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const offset = endOfLines(file.fd, size);
    return offset === size ? undefined : { offset, bytes: size - offset };
  } finally {
    await file.close();
  }
}

/** The size of an open file in bytes. */
export function sizeOf(fd: number): number {
  return fstatSync(fd).size;
}
