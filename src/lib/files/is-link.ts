import { lstatSync } from 'node:fs';

/**
 * Whether something is a symbolic link. One where Clifford keeps its own files may have come with a checkout, and
 * lead anywhere: what is behind it is not Clifford's to read or to remove.
 *
 * @throws the system's error when it cannot be looked at. What is not there is no link.
 */
export function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
