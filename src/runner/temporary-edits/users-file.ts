import { chmodSync, chownSync, existsSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, parse } from 'node:path';
import { inFolderSync } from '../../lib/files/opened-folder.ts';
import { readWithMode, type PlainFile, writeNewFile } from '../../lib/files/plain-file.ts';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { MAX_USERS_BYTES } from '../../workflow/temporary-edits/edit-journal.ts';
import { temporaryOf } from '../../workflow/temporary-edits/journal-folder.ts';

/** A file of the user's, with what is to be kept of it. */
export type UsersFile = PlainFile;

/** `undefined`: there is no such file. */
export function readUsersFile(path: string): UsersFile | undefined {
  try {
    return readWithMode(path, { maxBytes: MAX_USERS_BYTES });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Replaces a file in one rename, its owner kept; makes its folder. No link of the path is followed. Its temporary file has always the same name,
 * so that what a crash leaves can be found.
 */
export function replaceUsersFile(path: string, { bytes, mode }: UsersFile): void {
  // Since the links to it were followed, one may have taken the place of a folder.
  inFolderSync(dirname(path), { root: parse(path).root, makeMode: 0o777 }, (at) => {
    const [file, temporary] = [at(basename(path)), at(basename(temporaryOf(path)))];
    rmSync(temporary, { force: true });
    writeNewFile(temporary, bytes, mode);
    chmodSync(temporary, mode);
    keepOwner(file, temporary);
    renameSync(temporary, file);
  });
}

/** Takes a file away, and what a crash left beside it. */
export function removeUsersFile(path: string): void {
  removeFile(path);
  removeLeftover(path);
}

/** Takes away what a crash left beside a file. */
export function removeLeftover(path: string): void {
  removeFile(temporaryOf(path));
}

function removeFile(path: string): void {
  try {
    rmSync(path);
  } catch (error) {
    // Its folder may have become a file.
    if (!isMissing(error)) throw error;
  }
}

/** The folders of a file that are not there, the innermost first. */
export function missingFoldersOf(path: string): string[] {
  const folder = dirname(path);
  return existsSync(folder) ? [] : [folder, ...missingFoldersOf(folder)];
}

/** Takes folders away that are empty. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (isMissing(error)) continue;
      // Somebody has put something into it: it stays, and so does what it is in.
      if (codeOf(error) === 'ENOTEMPTY') return;
      throw error;
    }
  }
}

function keepOwner(path: string, temporary: string): void {
  try {
    const { uid, gid } = statSync(path);
    const own = statSync(temporary);
    if (own.uid !== uid || own.gid !== gid) chownSync(temporary, uid, gid);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
