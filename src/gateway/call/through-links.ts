import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../lib/system-error.ts';

/**
 * Where an absolute path leads once its links are followed; what does not exist yet is where its folder, or the
 * link to it, leads. `undefined` where nobody can tell: links in a circle, a folder that may not be read.
 */
export function throughLinks(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = codeOf(error);
    const isUnmade = code === 'ENOENT' || code === 'ENOTDIR';
    if (!isUnmade || dirname(path) === path) return undefined;
  }
  const folder = throughLinks(dirname(path));
  if (folder === undefined) return undefined;
  const whole = join(folder, basename(path));
  const target = linkTarget(whole);
  return target === undefined ? whole : throughLinks(resolve(folder, target));
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
