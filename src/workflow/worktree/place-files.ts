import {
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
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { lookAt } from '../../lib/files/folder-watch.ts';
import { inFolderSync } from '../../lib/files/opened-folder.ts';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { NO_FILE, type TreeChange } from '../commit/staged-tree.ts';
import { uncommitted } from '../commit/uncommitted.ts';
import { lookWithin, stampOf, type SeenFiles } from './work-tree.ts';

/** The mode of a submodule: its files are not of this repository. */
const SUBMODULE = '160000';

/**
 * Makes files of a work tree what they are to become. Each is as it was or as it is to be, never a part of it, wherever this
 * is ended; no link is followed, and no folder goes that something is in.
 *
 * @param staged - Where git has written them: what is not there is to be in no work tree.
 * @param seen - What stood there when they were looked at.
 * @throws {CliffordError} `UNCOMMITTED` when one has changed since, or cannot be written. Those before it are made by then.
 */
export function placeFiles(
  top: string,
  staged: string,
  changes: readonly TreeChange[],
  seen: SeenFiles,
): void {
  const gone = changes.filter(({ newMode }) => newMode === NO_FILE);
  const due = changes.filter(
    ({ newMode, path }) => newMode !== NO_FILE && lookAt(join(staged, path), lstatSync),
  );
  const place = (change: TreeChange, work: () => void) => {
    if (stampOf(top, change.path) !== seen.get(change.path))
      throw uncommitted(`somebody has changed ${change.path} meanwhile`, 'Try it again');
    try {
      work();
    } catch (error) {
      throw whyNot(change.path, error);
    }
  };
  // A file may take the place of a folder.
  for (const change of gone) place(change, () => removeFile(top, change.path));
  for (const change of due) place(change, () => placeFile(top, staged, change));
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
    if (!isMissing(error) && !isInUse(error)) throw error;
  }
}

function placeFile(top: string, staged: string, { path, newMode }: TreeChange): void {
  inFolderSync(dirname(join(top, path)), { root: top, makeMode: 0o777 }, (at) => {
    const [name, source] = [basename(path), join(staged, path)];
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
      const beside = at(`.${randomUUID()}.tmp`);
      if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), beside);
      else copyFileSync(source, beside);
      renameSync(beside, at(name));
    }
  });
}

/** There is more in a folder, or it cannot be removed for another reason that is none of ours. */
function isInUse(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOTDIR'].includes(codeOf(error) ?? '');
}

function whyNot(path: string, error: unknown): unknown {
  if (isInUse(error))
    return uncommitted(`something of somebody’s is where ${path} is to be`, 'Move it out of the way');
  const isLinked = error instanceof CliffordError && error.code === 'FOLDER_LINKED';
  if (!isLinked && codeOf(error) === undefined) return error;
  const why = error instanceof Error ? error.message : String(error);
  return uncommitted(`${path} cannot be written: ${why}`, 'See to it, and try it again');
}
