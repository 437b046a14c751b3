import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { readSmallFile } from '../../lib/files/small-file.ts';
import { utf8Text } from '../../lib/text/utf8-text.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

/** A file as it is before it is changed. `undefined`: there is none. */
export type TargetText = { readonly text: string } | { readonly refused: string } | undefined;

/**
 * Reads a file that is to be changed and given back otherwise as it was. Links are followed. What is no UTF-8
 * is refused: it could not be written again as it is.
 */
export async function readTarget(path: string): Promise<TargetText> {
  const bytes = await readSmallFile(path);
  if (bytes === undefined || 'refused' in bytes) return bytes;
  const text = utf8Text(bytes, { keepsMark: true });
  return text === undefined ? { refused: 'it is not UTF-8' } : { text };
}

/**
 * Writes a file in one rename, if it still is as it was read. A link stays a link, and its file is written; a
 * file that is there keeps its mode.
 *
 * @throws {CliffordError} `FILE_CHANGED` when it is not; `FILE_UNWRITABLE`.
 */
export async function writeTarget(path: string, before: string | undefined, after: string): Promise<void> {
  const now = await readTarget(path);
  const text = now && ('text' in now ? now.text : null);
  if (text !== before) throw changed(path);
  try {
    if (before !== undefined) {
      const file = await realpath(path);
      const { mode } = await stat(file);
      await writeAtomically(file, after, { exactMode: mode & 0o7777 });
    } else {
      // Not 0700, as for Clifford's own state: what is written here is the project's.
      await mkdir(dirname(path), { recursive: true });
      await writeAtomically(path, after, { mode: 0o666 });
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** Makes a folder a project: `.clifford/`, for this user alone. @throws {CliffordError} `FILE_UNWRITABLE` */
export async function makeStateDir(root: string): Promise<void> {
  const folder = join(root, STATE_DIR);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function changed(path: string): CliffordError {
  return new CliffordError(`Cannot write ${path}: it has changed since it was shown`, {
    code: 'FILE_CHANGED',
    fix: 'Run the same command again and look at it anew',
    recovery: 'retry',
  });
}

function unwritable(path: string, cause: unknown): CliffordError {
  return new CliffordError(`Cannot write ${path}: the system says ${systemCodeOf(cause)}`, {
    code: 'FILE_UNWRITABLE',
    fix: 'Make the file and its folder writable, then run the same command again',
    cause,
  });
}
