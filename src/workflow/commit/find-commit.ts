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
 * @param run - The run of the attempt. One made before it began, which may be of a sprint that was called the same, has to name it: who makes
 *   one by hand may have another clock. Default: made whenever.
 */
export async function findCommit(
  git: Git,
  key: CommitKey,
  {
    since,
    head,
    run,
  }: {
    since: string | undefined;
    head: string | undefined;
    /** `startedAt`: RFC 3339. */
    run?: { readonly runId: string; readonly startedAt: string } | undefined;
  },
): Promise<string | undefined> {
  if (head === undefined || head === since) return undefined;
  const range = since === undefined ? head : `${since}..${head}`;
  const log = await git.read(['log', '-z', `-n${LOOK_BACK}`, '--format=%H %at%n%B', range, '--']);
  // Git has whole seconds.
  const earliest = run === undefined ? 0 : Math.floor(Date.parse(run.startedAt) / 1_000);
  const isIt = (entry: string) =>
    isMessageOf(key, entry) && (madeAt(entry) >= earliest || isMessageOf(key, entry, run?.runId));
  const found = [...splitNul(log), ...log.split('\0').slice(-1)].find(isIt);
  return found?.slice(0, found.indexOf(' '));
}

/**
 * When it was written first, also where it was rewritten since, in seconds since the epoch: by its committer's time one of a sprint that
 * was called the same would be new once somebody has rebased it. A reflog is no witness: a worker's clone has none of what it fetched.
 */
function madeAt(entry: string): number {
  return Number(entry.slice(entry.indexOf(' ') + 1, entry.indexOf('\n')));
}
