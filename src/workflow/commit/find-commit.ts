import { splitNul, type Git } from '../git/git.ts';
import { isMessageOf, type CommitKey } from './commit-message.ts';

/** How many commits are looked through. */
const LOOK_BACK = 1_000;

/**
 * The commit of this attempt at a task among those that were made since the work began: a runner may have
 * died between the commit and its event.
 *
 * @param since - The last commit when the work began; `undefined`: there was none.
 * @param head - The last commit now; `undefined`: there is none.
 */
export async function findCommit(
  git: Git,
  key: CommitKey,
  { since, head }: { since: string | undefined; head: string | undefined },
): Promise<string | undefined> {
  if (head === undefined || head === since) return undefined;
  const range = since === undefined ? head : `${since}..${head}`;
  const log = await git.read(['log', '-z', `-n${LOOK_BACK}`, '--format=%H%n%B', range, '--']);
  const found = [...splitNul(log), ...log.split('\0').slice(-1)].find((entry) => isMessageOf(key, entry));
  return found?.slice(0, found.indexOf('\n'));
}
