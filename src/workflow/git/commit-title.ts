import { clip } from '../../lib/text/clip.ts';
import type { Git } from './git.ts';

/** So much of it is kept, in UTF-16 units: whoever commits by hand may write any. */
const MOST_CHARACTERS = 200;

/** The first line of a commit's message; `undefined`: it has none. */
export async function commitTitle(git: Git, sha: string): Promise<string | undefined> {
  const title = (await git.read(['log', '-1', '--format=%s', sha, '--'])).trim();
  return title === '' ? undefined : clip(title, MOST_CHARACTERS);
}
