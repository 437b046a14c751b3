import { join } from 'node:path';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { GateCall } from './gate-call.ts';
import { asRead } from './hidden-characters.ts';
import { mayBeBelow } from './path-below.ts';
import type { Ground } from './rule-match.ts';

/** A longer text is no path: what servers are given to write. In UTF-16 units. */
const MAX_PATH_LENGTH = 4_096;

/**
 * Whether an argument leads, in one reading or another, into the folder where Clifford keeps its log: whoever writes
 * there says what happened, and what a human allowed. Looks at whole texts, and at the words of a command that name it.
 */
export function reachesStateFolder({ args, cwd }: GateCall, { root, throughLinks }: Ground): boolean {
  if (root === undefined) return false;
  const folder = join(root, STATE_DIR);
  const bases = { root, cwd: cwd ?? root, throughLinks };
  return textsIn(args).some((text) =>
    [...(text.length <= MAX_PATH_LENGTH ? [text] : []), ...wordsNaming(text)].some((path) =>
      mayBeBelow(path, folder, bases),
    ),
  );
}

/** Every text of a JSON value, names of fields too, however deep. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null)
      for (const [name, item] of Object.entries(next)) waiting.push(name, item);
  }
  return texts;
}

/** Words that name the folder, of a line that has several. */
function wordsNaming(text: string): string[] {
  if (text.length > MAX_PATH_LENGTH || !asRead(text).includes(STATE_DIR)) return [];
  return text.split(/[\s'"`=:,;|&<>()]+/).filter((word) => asRead(word).includes(STATE_DIR));
}
