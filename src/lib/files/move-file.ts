import { constants, copyFileSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { codeOf } from '../system-error.ts';

/**
 * Moves a file, a link or a folder as it is. A plain file may go to another file system: it is copied,
 * then removed.
 */
export function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV' || !lstatSync(from).isFile()) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    unlinkSync(from);
  }
}
