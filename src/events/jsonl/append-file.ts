import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openPlainFile } from '../../lib/files/plain-file.ts';
import { syncFolder } from '../../lib/files/sync-folder.ts';
import { codeOf } from '../../lib/system-error.ts';
import { logInaccessible } from './log-errors.ts';

/** A log opened for appending, and which file it is. */
export type AppendFile = { readonly fd: number; readonly dev: number; readonly ino: number };

const { O_RDWR, O_APPEND, O_CREAT } = constants;

/**
 * Opens the log at `path` for appending, mode 0600. With `create`, makes it and its folder (0700) where they
 * are missing; without, that is `undefined`. The folder is synced, so that the file's name survives what its bytes survive.
 *
 * The descriptor is closed on exec (Node opens every file so): a child that inherited it would keep
 * the lock alive after its parent is dead.
 *
 * @throws {CliffordError} `LOG_INACCESSIBLE`
 */
export function openAppendFile(path: string, { create }: { create: boolean }): AppendFile | undefined {
  let fd: number | undefined;
  try {
    const folder = dirname(resolve(path));
    const topmostMade = create ? mkdirSync(folder, { recursive: true, mode: 0o700 }) : undefined;
    fd = openPlainFile(path, O_RDWR | O_APPEND | (create ? O_CREAT : 0), 0o600);
    const { dev, ino, mode } = fstatSync(fd);
    if ((mode & 0o077) !== 0) fchmodSync(fd, 0o600);
    syncFolders(folder, topmostMade === undefined ? folder : dirname(topmostMade));
    return { fd, dev, ino };
  } catch (cause) {
    if (fd !== undefined) closeSync(fd);
    if (!create && codeOf(cause) === 'ENOENT') return undefined;
    throw logInaccessible(path, cause);
  }
}

/**
 * The size in bytes of this file, `undefined` when `path` no longer names it: it was renamed,
 * replaced or removed. One look at the disk answers both.
 *
 * @throws {CliffordError} `LOG_INACCESSIBLE`
 */
export function sizeIfStillAt(path: string, file: AppendFile): number | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw logInaccessible(path, cause);
  }
  return found && found.ino === file.ino && found.dev === file.dev ? found.size : undefined;
}

/** Syncs `folder` and those above it up to `topmost`. */
function syncFolders(folder: string, topmost: string): void {
  for (let current = folder; ; current = dirname(current)) {
    syncFolder(current);
    if (current === topmost || current === dirname(current)) return;
  }
}
