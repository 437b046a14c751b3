import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isLink } from './is-link.ts';

/** Whether a symbolic link on the way to a path, or at its end, leads to something that is not there. */
export function hasDanglingLink(root: string, path: string): boolean {
  const names = relative(root, resolve(root, path)).split(sep);
  return names.some((_, at) => {
    const place = join(root, ...names.slice(0, at + 1));
    return isLink(place) && !existsSync(place);
  });
}
