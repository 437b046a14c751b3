import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { codeOf, isMissing } from '../system-error.ts';
import { refuseTooLong, wayOf, type FoundThere } from './way-of-path.ts';

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
 * The file that a path leads to, through links of it and of its folders, whether it is there or not. Many paths that somebody
 * else has named are followed by a `PathFollower`, which holds up nobody.
 *
 * @param path - Absolute.
 * @throws the system's error when that cannot be told, `ENAMETOOLONG` before anything is looked at.
 */
export function realPathToBe(path: string): string {
  refuseTooLong(path);
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const way = wayOf(path);
  let step = way.next();
  while (!step.done) step = way.next(foundAt(step.value));
  return step.value.place;
}

/** What is at one place of a {@link wayOf} a path. @throws the system's error when nobody can tell. */
export function foundAt(place: string): FoundThere {
  try {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!found) return { is: 'nothing' };
    return found.isSymbolicLink() ? { is: 'link', to: readlinkSync(place) } : { is: 'other' };
  } catch (error) {
    // A file stands where one of its folders would be, or it has just gone.
    if (isMissing(error)) return { is: 'nothing' };
    throw error;
  }
}
