import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, isMissing } from '../system-error.ts';
import { isLink } from './is-link.ts';

/** Where a path leads, all links followed. `undefined`: nothing is there, or nothing we may see. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * The file that a path leads to, through links of it and of its folders, whether it is there or not.
 *
 * @throws the system's error when that cannot be told.
 */
export function realPathToBe(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
  }
  const folder = realPathToBe(dirname(path));
  const own = join(folder, basename(path));
  return isLink(own) ? realPathToBe(resolve(folder, readlinkSync(own))) : own;
}
