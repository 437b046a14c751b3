import { readdirSync, statfsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { foundAt } from '../../lib/files/real-path.ts';
import { wayOf, type FoundThere } from '../../lib/files/way-of-path.ts';
import { codeOf, isMissing } from '../../lib/system-error.ts';
import { ofProcess, type FoundPlaces } from '../policy/path-below.ts';

/** What Linux calls the type of the file system in `/proc`. */
const PROC_FILE_SYSTEM = 0x9fa0;

/**
 * Where an absolute path leads, as {@link wayOf} follows it. `undefined` where nobody can tell: links in a circle, a folder
 * that may not be read, a path longer than the system takes. What stands below `/proc/self`, or is another process' own, is
 * another thing in each process: such a path is followed up to there, and what is left of it is as written.
 */
export function throughLinks(path: string, found: FoundPlaces = new Map()): string | undefined {
  try {
    const way = wayOf(path);
    let step = way.next();
    while (!step.done) {
      const place = step.value;
      const there = found.get(place) ?? lookAt(place);
      found.set(place, there);
      if (there.is !== 'end' && mayBeAnother(place)) return undefined;
      step = way.next(there);
    }
    return step.value.place;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function lookAt(place: string): FoundThere {
  if (ofProcess.test(place)) return { is: 'end', at: place };
  const there = foundAt(place);
  // The same file system may be mounted elsewhere.
  const isProcess = there.is === 'link' && statfsSync(dirname(place)).type === PROC_FILE_SYSTEM;
  return isProcess ? { is: 'end', at: '/proc/self' } : there;
}

/** To a shell `[id].ts` begins with one of these characters, and `[[id]].ts` with one of them and a `]`; to most it is the name of a file. */
function mayBeAnother(place: string): boolean {
  const [whole, ending = ''] = /^\[.*\](\.[\w.]+)?$/s.exec(basename(place)) ?? [];
  if (whole === undefined) return false;
  return namesIn(dirname(place)).some((name) => name.endsWith(ending) && name.length <= ending.length + 2);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
