import { constants, copyFileSync, lstatSync, renameSync, unlinkSync } from 'node:fs';

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

/** The system's name for what went wrong: `ENOENT`. `undefined` when it was not the system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
