import { basename, dirname, join, relative } from 'node:path';
import { insideRoot } from './inside-root.ts';
import { inFolder } from './opened-folder.ts';
import { makeOwnFolders } from './own-folder.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * Replaces a file of ours, mode 0600, in the folder that its path names now, which is made where it is missing.
 *
 * @param dir - A folder of the project, absolute, such as `.clifford`: it may be a link within the project.
 * @param path - Absolute, below `dir`.
 * @throws {CliffordError} `FOLDER_LINKED`, `NOT_A_FOLDER`; `OUTSIDE_PROJECT` when `dir` leads out of the project.
 */
export async function writeOwn(dir: string, path: string, content: string | Uint8Array): Promise<void> {
  makeOwnFolders(dirname(path), dir);
  const root = dirname(dir);
  const folder = join(await insideRoot(root, dir), relative(dir, dirname(path)));
  await inFolder(folder, { root }, (at) => writeAtomically(at(basename(path)), content));
}
