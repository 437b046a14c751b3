import { isMessageOf } from './commit-message.ts';
import type { CommitKey } from './commit-message.ts';
import { splitNul } from './git.ts';
import type { Git } from './git.ts';

/** How many commits are looked through. */
const LOOK_BACK = 1_000;

/**
 * The commit of this attempt at a task among those that were made since the work began: a runner may have
 * died between the commit and its event.
 *
 * @param since - The last commit when the work began; `undefined`: there was none.
 */
export async function findCommit(
  git: Git,
  key: CommitKey,
  since: string | undefined,
): Promise<string | undefined> {
  const range = since === undefined ? 'HEAD' : `${since}..HEAD`;
  const log = await git.read(['log', '-z', `-n${LOOK_BACK}`, '--format=%H%n%B', range, '--']);
  const found = [...splitNul(log), ...log.split('\0').slice(-1)].find((entry) => isMessageOf(key, entry));
  return found?.slice(0, found.indexOf('\n'));
}
