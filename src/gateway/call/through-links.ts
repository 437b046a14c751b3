import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../lib/system-error.ts';

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;

/**
 * Where an absolute path leads as the system reads it: folder by folder, each link followed where it stands, and `..`
 * the folder above the one that was reached. What does not exist counts as written. `undefined` where nobody can
 * tell: links in a circle, a folder that may not be read.
 */
export function throughLinks(path: string): string | undefined {
  const names = path.split('/').toReversed();
  let reached = '/';
  let links = 0;
  try {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        reached = dirname(reached);
        continue;
      }
      const whole = join(reached, name);
      const target = linkTarget(whole);
      if (target === undefined) {
        reached = whole;
        continue;
      }
      links += 1;
      if (links > MAX_LINKS) return undefined;
      if (target.startsWith('/')) reached = '/';
      names.push(...target.split('/').toReversed());
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
  return reached;
}

/** What a link says, also one to nothing; `undefined` for what is none. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
