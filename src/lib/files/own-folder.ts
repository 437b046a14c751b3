import { lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { codeOf } from '../system-error.ts';
import { isLink } from './is-link.ts';
import { realPath } from './real-path.ts';

/**
 * Makes a folder of ours (0700) where it is missing, and none above it: a project that was deleted does not come back
 * by what is kept in it.
 *
 * @throws {CliffordError} `FOLDER_LINKED` when it is a symbolic link, which could lead anywhere; `NOT_A_FOLDER` when it
 *   is something else.
 * @throws the system's error when it cannot be made, `ENOENT` when the folder above is not there.
 */
export function makeOwnFolder(folder: string): void {
  refuseLink(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!lstatSync(folder).isDirectory()) throw notAFolder(folder);
  }
}

/** The same for each folder on the way to `folder` from `base`, which is not made. */
export function makeOwnFolders(folder: string, base: string): void {
  const way = relative(base, folder);
  let path = base;
  for (const name of way === '' ? [] : way.split(sep)) makeOwnFolder((path = join(path, name)));
}

/** @throws {CliffordError} `FOLDER_LINKED` when a folder of ours is a symbolic link. */
export function refuseLink(folder: string): void {
  if (isLink(folder)) throw linked(folder, 'it is a symbolic link');
}

/**
 * Refuses a folder of ours, at the top of `root`, that leads elsewhere, or has folders that do. Nothing is written.
 *
 * @param folder - Absolute, below `root`. Where there is none, there is nothing to refuse.
 * @throws {CliffordError} `FOLDER_LINKED`
 */
export function refuseLinkedFolders(folder: string, root: string): void {
  if (isLink(folder) && !`${realPath(folder) ?? ''}${sep}`.startsWith(`${realpathSync(root)}${sep}`))
    throw linked(folder, 'it is a symbolic link that leads out of the project');
  // Files are written by a rename, which takes the place of a link. Folders of ours have no dot in their names.
  const links = entriesOf(folder).filter((entry) => entry.isSymbolicLink() && !entry.name.includes('.'));
  const [first] = links.map(({ name }) => join(folder, name)).toSorted();
  if (first !== undefined) throw linked(first, 'it is a symbolic link');
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    // Whoever needs it says why it cannot be used.
    return [];
  }
}

function linked(folder: string, why: string): CliffordError {
  return new CliffordError(`Cannot use ${folder}: ${why}`, {
    code: 'FOLDER_LINKED',
    fix: 'Remove the link: Clifford makes a folder there when it needs one',
  });
}

/** What was a folder has become a link, or something else has taken its place. */
export function leadsElsewhere(folder: string): CliffordError {
  return linked(folder, 'it is not where it was: a symbolic link has taken the place of a folder');
}

function notAFolder(path: string): CliffordError {
  return new CliffordError(`Cannot use ${path}: it is not a folder`, {
    code: 'NOT_A_FOLDER',
    fix: 'Move it away: Clifford makes a folder there when it needs one',
  });
}
