import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ifThere } from './if-there.ts';
import { isLink } from './is-link.ts';

/**
 * Removes a file or a folder of ours with all that is in it, where it is. Nothing happens where there is none, nor where
 * a folder on the way to it from `base` has become a link: what that leads to is not ours.
 *
 * @param path - Absolute, below `base`.
 * @throws the system's error when it cannot be removed.
 */
export function removeOwn(path: string, base: string): void {
  ifThere(() => {
    for (let folder = dirname(path); folder !== base && folder !== dirname(folder); folder = dirname(folder))
      if (isLink(folder)) return;
    // What an agent left behind may still write there.
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }, undefined);
}
