import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { clip } from '../text/clip.ts';
import { realPathToBe } from './real-path.ts';
import { refuseTooLong } from './way-of-path.ts';

/**
 * Where a path that an agent named really is, as an absolute path that begins with `root` as given.
 * Symbolic links are followed; what does not exist yet may be named.
 *
 * @param path - Absolute, or relative to `root`.
 * @throws {CliffordError} `OUTSIDE_PROJECT` when it leads out of `root`, or is no path at all.
 */
export async function insideRoot(root: string, path: string): Promise<string> {
  if (path.includes('\0')) throw outside(path, 'it contains a NUL byte');
  const [top, place] = [await realpath(root), realPathIn(root, path)];
  if (!isInside(top, place)) throw outside(path, `it leads out of the project ${root}`);
  return join(root, relative(top, place));
}

/** Whether a path is that of a folder, or of something in it. No links are followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPathIn(root: string, path: string): string {
  try {
    refuseTooLong(path);
    return realPathToBe(resolve(root, path));
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  return new CliffordError(`Cannot use path ${shown(path)}: ${cause.message}`, {
    code: 'PATH_UNUSABLE',
    fix: 'Name a folder of the project that can be read',
    cause,
  });
}

function outside(path: string, reason: string): CliffordError {
  return new CliffordError(`Cannot use path ${shown(path)}: ${reason}`, {
    code: 'OUTSIDE_PROJECT',
    fix: 'Name a folder of the project, absolute or relative to its root',
  });
}

/** Control characters as escapes, and not too much of it. */
function shown(path: string): string {
  return JSON.stringify(clip(path, 201));
}
