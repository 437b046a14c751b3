import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { lookAt } from '../../lib/files/folder-watch.ts';
import { inFolderSync } from '../../lib/files/opened-folder.ts';
import { messageOf } from '../../lib/message-of.ts';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { NO_FILE, type TreeChange } from '../git/staged-tree.ts';
import { uncommitted } from '../git/uncommitted.ts';
import { isAsSeen, lookWithin, type SeenFiles } from './work-tree.ts';

/** The mode of a submodule: its files are not of this repository. */
const SUBMODULE = '160000';

/** So long others wait at most until the next file has its turn, in ms. */
const BATCH_MS = 20;

/** Where files of a work tree come from. */
export type Placing = {
  /** Its top folder, absolute. */
  readonly top: string;
  /** Where git has written them, absolute: what is not there is to be in no work tree. */
  readonly files: string;
  /** A name that nothing else has: of what is copied from another file system, in the folder where it is to be. */
  readonly temporary: string;
};

/**
 * Makes files of a work tree what they are to become. Each is as it was or as it is to be, never a part of it, wherever this
 * is ended; no link is followed, and no folder goes that something is in. Lets the event loop run between two files.
 *
 * @param seen - What stood there when they were looked at.
 * @throws {CliffordError} `UNCOMMITTED` when one has changed since, or cannot be written. Those before it are made by then.
 */
export async function placeFiles(
  placing: Placing,
  changes: readonly TreeChange[],
  seen: SeenFiles,
): Promise<void> {
  const { top, files } = placing;
  const gone = changes.filter(({ newMode }) => newMode === NO_FILE);
  const made = changes.filter(({ newMode }) => newMode !== NO_FILE);
  let began = performance.now();
  // A file may take the place of a folder, and one whose name differs in case only that of itself.
  for (const change of [...gone, ...made]) {
    if (performance.now() - began > BATCH_MS) {
      await turn();
      began = performance.now();
    }
    if (change.newMode !== NO_FILE && !lookAt(join(files, change.path), lstatSync)) continue;
    // From here until it is made nobody else has a turn.
    if (!isAsSeen(top, change.path, seen))
      throw uncommitted(`somebody has changed ${change.path} meanwhile`, 'Try it again');
    try {
      if (change.newMode === NO_FILE) removeFile(top, change.path);
      else placeFile(placing, change);
    } catch (error) {
      throw whyNot(change.path, error);
    }
  }
}

/** Removes the copies that {@link placeFiles} has not come to give their names, in the folders of these files. */
export function removeTemporaries(
  { top, temporary }: Pick<Placing, 'top' | 'temporary'>,
  changes: readonly TreeChange[],
): void {
  for (const folder of new Set(changes.map(({ path }) => dirname(path)))) {
    const left = join(folder, temporary);
    if (lookWithin(top, left)?.isDirectory() === false)
      inFolderSync(join(top, folder), { root: top }, (at) => unlinkSync(at(temporary)));
  }
}

/** Removes a file, and the folders that are empty without it. */
function removeFile(top: string, path: string): void {
  const remove = (of: string, how: (entry: string) => void) =>
    inFolderSync(dirname(join(top, of)), { root: top }, (at) => how(at(basename(of))));
  const isFolder = lookWithin(top, path)?.isDirectory() === true;
  try {
    if (!isFolder) remove(path, unlinkSync);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    // A submodule's is one, too.
    if (isFolder) remove(path, rmdirSync);
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) remove(folder, rmdirSync);
  } catch (error) {
    // There is more in it, or it stays for another reason: an empty folder is nothing to git.
    if (codeOf(error) === undefined) throw error;
  }
}

function placeFile({ top, files, temporary }: Placing, { path, newMode }: TreeChange): void {
  inFolderSync(dirname(join(top, path)), { root: top, makeMode: 0o777 }, (at) => {
    const [name, source] = [basename(path), join(files, path)];
    const isFolder = lookAt(at(name), lstatSync)?.isDirectory() === true;
    if (newMode === SUBMODULE) {
      if (isFolder) return;
      rmSync(at(name), { force: true });
      mkdirSync(at(name));
      return;
    }
    if (isFolder) rmdirSync(at(name));
    try {
      renameSync(source, at(name));
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      rmSync(at(temporary), { force: true });
      if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), at(temporary));
      else copyFileSync(source, at(temporary), constants.COPYFILE_EXCL);
      renameSync(at(temporary), at(name));
    }
  });
}

/** What the system says where something else stands in the place of a file, or of a folder on the way to it. */
const TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR']);

function whyNot(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code !== undefined && TAKEN.has(code))
    return uncommitted(`something of somebody’s is where ${path} is to be`, 'Move it out of the way');
  const isLinked = error instanceof CliffordError && error.code === 'FOLDER_LINKED';
  if (!isLinked && code === undefined) return error;
  return uncommitted(`${path} cannot be written: ${messageOf(error)}`, 'See to it, and try it again');
}
