import { join } from 'node:path';
import { textsIn } from '../../lib/json/texts-in.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { GateCall } from './gate-call.ts';
import { namesIn, plainPath } from './name-in-text.ts';
import { decodingsOf, MAX_PATH_LENGTH, mayBeBelow } from './path-below.ts';
import type { Ground } from './rule-match.ts';

/**
 * Whether an argument leads, in one reading or another, into the folder where Clifford keeps its log: whoever writes
 * there says what happened, and what a human allowed. A path has to lead there; in a text that is more than a path, or
 * whose way nobody knows, its name is enough. In time that grows with the length of the arguments, and no faster.
 */
export function reachesStateFolder({ args, cwd }: GateCall, { root, throughLinks }: Ground): boolean {
  if (root === undefined) return false;
  const folder = join(root, STATE_DIR);
  const bases = { root, cwd: cwd ?? root, throughLinks };
  for (const text of textsIn(args)) {
    const decodings = decodingsOf(text);
    if (decodings === undefined) return true;
    const below = mayBeBelow(text)(folder, bases);
    if (below === 'yes') return true;
    // A server behind a URL may run in this very folder, or in one where the path leads elsewhere.
    const isLost = cwd === null && decodings.some((each) => !/^[/\\]/.test(each));
    const isPlain = !isLost && decodings.every((each) => plainPath.test(each));
    if ((below === 'unsure' || !isPlain) && namesIn(...decodings)(STATE_DIR)) return true;
    // Where the links in it lead nobody has seen.
    if (below === 'unsure' && isPlain && decodings.some(goesUpFar)) return true;
  }
  return false;
}

/** A server that goes from folder to folder opens more than the system does, and `..` is above where a link led. */
function goesUpFar(path: string): boolean {
  return path.length > MAX_PATH_LENGTH && /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
}
