import { join } from 'node:path';
import { withoutHiddenCharacters } from '../../lib/text/hidden-characters.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { GateCall } from './gate-call.ts';
import { asRead } from './hidden-characters.ts';
import { mayNameHidden } from './wildcard-name.ts';
import { decodingsOf, MAX_PATH_LENGTH, mayBeBelow } from './path-below.ts';
import type { Ground } from './rule-match.ts';

/** A path and nothing else: no command, no list, nothing that a shell or a template puts something in the place of. */
const plainPath = /^[\p{L}\p{M}\p{N}_.~@+#/\\-]*$/u;
/** The folder's name as that of a file, not within a longer one. */
const folderName = /(?<![\p{L}\p{N}_.-])\.clifford(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u;

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
    const below = mayBeBelow(text, folder, bases);
    if (below === 'yes') return true;
    // A server behind a URL may run in this very folder, or in one where the path leads elsewhere.
    const isLost = cwd === null && decodings.some((each) => !/^[/\\]/.test(each));
    const isPlain = !isLost && decodings.every((each) => plainPath.test(each));
    if ((below === 'unsure' || !isPlain) && decodings.some(namesFolder)) return true;
    // Where the links in it lead nobody has seen.
    if (below === 'unsure' && isPlain && decodings.some(goesUpFar)) return true;
  }
  return false;
}

/** Every text of a JSON value, names of fields too, however deep; each once. */
function textsIn(value: unknown): Set<string> {
  const texts = new Set<string>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.add(next);
    else if (typeof next === 'object' && next !== null)
      for (const [name, item] of Object.entries(next)) waiting.push(name, item);
  }
  return texts;
}

/** A server that goes from folder to folder opens more than the system does, and `..` is above where a link led. */
function goesUpFar(path: string): boolean {
  return path.length > MAX_PATH_LENGTH && /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
}

/**
 * As it is, as a person reads it, and without what a person does not see: an escape sequence hides what follows. Also
 * with wildcards in it.
 */
function namesFolder(text: string): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  if (!plain.includes('clifford') && plainPath.test(plain)) return false;
  const readings = [plain, asRead(text), withoutHiddenCharacters(plain)];
  // A shell takes quotes away, also within a name.
  return [...readings, ...readings.map((each) => each.replaceAll(/['"]/g, ''))].some(
    (each) => folderName.test(each) || mayNameHidden(each, STATE_DIR),
  );
}
