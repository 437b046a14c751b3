import { closeSync, constants, fdatasyncSync, ftruncateSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { openPlainFile, writeAll } from '../../lib/files/plain-file.ts';
import { syncFolder } from '../../lib/files/sync-folder.ts';
import type { EventData } from '../catalog.ts';
import type { TornTail } from './tail.ts';
import { windowsOf } from './windows.ts';

const { O_WRONLY, O_CREAT, O_EXCL } = constants;

/** Where they are kept, beside the log. */
const QUARANTINE = 'quarantine';

/**
 * Moves the bytes after the last whole append into a file of `quarantine/` beside the log. Call it under
 * the lock. The copy is on disk before the log is cut, so a crash in between loses nothing.
 *
 * @returns what the log is to say of it.
 */
export function cutTornTail(
  fd: number,
  path: string,
  { offset, bytes }: TornTail,
): EventData<'log.repaired'> {
  const folder = join(dirname(path), QUARANTINE);
  const name = `${basename(path)}.${offset}.${uuidv7()}`;
  makeOwnFolder(folder);
  copyRange(fd, { offset, bytes }, join(folder, name));
  syncFolder(folder);
  ftruncateSync(fd, offset);
  fdatasyncSync(fd);
  return { offset, bytes, quarantined: `${QUARANTINE}/${name}` };
}

function copyRange(from: number, { offset, bytes }: TornTail, path: string): void {
  const to = openPlainFile(path, O_WRONLY | O_CREAT | O_EXCL, 0o600);
  try {
    for (const window of windowsOf(from, offset, offset + bytes)) writeAll(to, window);
    fdatasyncSync(to);
  } finally {
    closeSync(to);
  }
}
