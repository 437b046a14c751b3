import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
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

/**
 * Moves the bytes after the last newline into a file of `quarantine/` beside the log. Call it under
 * the lock. The copy is on disk before the log is cut, so a crash in between loses nothing.
 */
export function cutTornTail(fd: number, path: string, { offset, bytes }: TornTail): void {
  const folder = join(dirname(path), 'quarantine');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyRange(fd, { offset, bytes }, join(folder, `${basename(path)}.${offset}.${uuidv7()}`));
  const folderFd = openSync(folder, 'r');
  try {
    fsyncSync(folderFd);
  } finally {
    closeSync(folderFd);
  }
  ftruncateSync(fd, offset);
  fdatasyncSync(fd);
}

function copyRange(from: number, { offset, bytes }: TornTail, path: string): void {
  const to = openSync(path, 'wx', 0o600);
  try {
    const window = Buffer.allocUnsafe(Math.min(bytes, WINDOW_BYTES));
    for (let done = 0; done < bytes;) {
      const read = readSync(from, window, 0, Math.min(window.length, bytes - done), offset + done);
      if (read === 0) break;
      writeAll(to, window.subarray(0, read));
      done += read;
    }
    fdatasyncSync(to);
  } finally {
    closeSync(to);
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}

/** The size of an open file in bytes. */
export function sizeOf(fd: number): number {
  return fstatSync(fd).size;
}
