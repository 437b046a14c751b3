import { lstatSync } from 'node:fs';
import { isMissing } from '../system-error.ts';

/**
 * Whether something is a symbolic link. One where Clifford keeps its own files may have come with a checkout, and
 * lead anywhere: what is behind it is not Clifford's to read or to remove.
 *
 * @throws the system's error when it cannot be looked at. What is not there is no link.
 */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // A file stands where one of its folders would be.
    if (isMissing(error)) return false;
    throw error;
  }
}
