import { readdirSync, readlinkSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { MAX_PATH_LENGTH, ofProcess, type FoundPlaces } from '../policy/path-below.ts';

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;

/** What Linux calls the type of the file system in `/proc`. */
const PROC_FILE_SYSTEM = 0x9fa0;

/**
 * Where an absolute path leads as the system reads it: folder by folder, each link followed where it stands, and `..`
 * the folder above the one that was reached. What does not exist counts as written. `undefined` where nobody can
 * tell: links in a circle, a folder that may not be read, a path longer than the system takes. Below a place where nothing is
 * there is nothing to look at. What stands below `/proc/self`, or is another process' own,
 * is another thing in each process: such a path is followed up to there, and what is left of it is as written.
 */
export function throughLinks(path: string, found: FoundPlaces = new Map()): string | undefined {
  if (Buffer.byteLength(path) >= MAX_PATH_LENGTH) return undefined;
  const names = path.split('/').toReversed();
  let reached = '/';
  let links = 0;
  let isThere = true;
  try {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        reached = dirname(reached);
        isThere = true;
        continue;
      }
      const whole = reached === '/' ? `/${name}` : `${reached}/${name}`;
      if (!isThere) {
        reached = whole;
        continue;
      }
      if (ofProcess.test(whole)) return join(whole, ...names.toReversed());
      if (mayBeShort(name) && namesIn(reached).some((each) => each.length <= 2)) return undefined;
      if (!found.has(whole)) found.set(whole, linkTarget(whole));
      const target = found.get(whole);
      if (typeof target !== 'string') {
        reached = whole;
        isThere = target === null;
        continue;
      }
      links += 1;
      if (links > MAX_LINKS) return undefined;
      // The same file system may be mounted elsewhere.
      if (statfsSync(reached).type === PROC_FILE_SYSTEM) return join('/proc/self', ...names.toReversed());
      if (target.startsWith('/')) reached = '/';
      names.push(...target.split('/').toReversed());
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
  return reached;
}

/** To a shell `[id]` is one of these characters, and `[[id]]` one of them and a `]`; to most it is the name of a file. */
function mayBeShort(name: string): boolean {
  return name.startsWith('[') && name.endsWith(']');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** What a link says, also one to nothing; `null` for what is none, `undefined` where nothing is. */
function linkTarget(path: string): string | null | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EINVAL') return null;
    if (isMissing(error)) return undefined;
    throw error;
  }
}
