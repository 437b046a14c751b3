import { clip } from '../../lib/text/clip.ts';
import type { Git } from './git.ts';

/** So much of it is kept, in UTF-16 units: whoever commits by hand may write any. */
const MOST_CHARACTERS = 200;

/** The first line of a commit's message, 200 characters at most; `undefined`: it has none, or git does not say it, which stops nobody. */
export async function commitTitle(git: Git, sha: string): Promise<string | undefined> {
  const message = await git.read(['log', '-1', '--encoding=UTF-8', '--format=%B', sha, '--']).catch(() => '');
  const [title = ''] = message.trim().split(/\r?\n/);
  return title === '' ? undefined : clip(title.trimEnd(), MOST_CHARACTERS);
}
