import { closeSync, fstatSync, readSync } from 'node:fs';
import { openPlainFile } from '../../lib/files/plain-file.ts';
import { endsWithAppend, followingOfBytes, NEWLINE } from './line-bytes.ts';
import { lineBefore } from './line-before.ts';

/** Bytes after the last whole append of a log: what a crash left of one that nobody was told about. */
export type TornTail = {
  /** Where they begin: the end of the last whole append. */
  readonly offset: number;
  readonly bytes: number;
};

const WINDOW_BYTES = 65_536;
/** So many tell whether the file ends with a whole append. */
const LAST_BYTES = 3;

/**
 * Where the last whole append before `size` ends; 0 when there is none. What follows is a torn tail: a part
 * of a line, or lines of an append whose last ones are missing.
 */
export function endOfAppends(fd: number, size: number): number {
  if (size === 0) return 0;
  const last = Buffer.allocUnsafe(LAST_BYTES);
  const read = readSync(fd, last, 0, LAST_BYTES, Math.max(0, size - LAST_BYTES));
  if (endsWithAppend(last.subarray(0, read))) return size;
  return startOfUnfinished(fd, last[read - 1] === NEWLINE ? size : endOfLines(fd, size));
}

/** Where the append begins to which the line before `end` belongs, if others of it are missing; else `end`. */
function startOfUnfinished(fd: number, end: number): number {
  let start = end;
  for (let last: number | undefined; start > 0;) {
    const line = lineBefore(fd, start);
    const following = line === undefined ? 0 : followingOfBytes(line);
    if (line === undefined || following === 0 || (last !== undefined && following !== last + 1)) break;
    last = following;
    start -= line.length + 1;
  }
  return start;
}

/** The offset after the last newline before `size`; 0 when there is none. */
function endOfLines(fd: number, size: number): number {
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
export function findTornTail(path: string): TornTail | undefined {
  const fd = openPlainFile(path);
  try {
    const size = sizeOf(fd);
    const offset = endOfAppends(fd, size);
    return offset === size ? undefined : { offset, bytes: size - offset };
  } finally {
    closeSync(fd);
  }
}

/** The size of an open file in bytes. */
export function sizeOf(fd: number): number {
  return fstatSync(fd).size;
}
