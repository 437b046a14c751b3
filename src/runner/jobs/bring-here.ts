import type { TaskOffer } from '../../machines/task-state.ts';
import { Git } from '../../workflow/git/git.ts';
import { hasCommit, refOf } from '../../workflow/git/repository.ts';
import { uncommitted } from '../../workflow/git/uncommitted.ts';
import { isClaimedHere } from '../../workflow/worktree/worktree-claims.ts';
import type { JobDeps } from './job-deps.ts';
import {
  claimWorktree,
  isUnnamed,
  openTaskWorktree,
  prepareWorktree,
  taskOf,
  worktreeOf,
} from './prepare-worktree.ts';

/**
 * Makes the worktree of a task that another worker has done: its branch has the commit which that one has pushed. One that is here stays as it
 * is; so does that of a task which was done here. What was ended in the middle goes on when it is called again.
 *
 * @throws {CliffordError} `FETCH_FAILED`; `UNCOMMITTED`, `SETUP_FAILED`: why there is none that can be merged.
 */
export async function bringHere(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<void> {
  const { offer, worktree } = taskOf(deps, taskId) ?? {};
  if (offer?.phase !== 'ended' || offer.sha === undefined) return;
  const isMade =
    worktree !== undefined && worktree.phase !== 'claimed' && isClaimedHere(deps.project, worktree);
  if (!isMade || !(await (await openTaskWorktree(deps, taskId, signal)).isThere()))
    await branchOf(deps, taskId, { ...offer, sha: offer.sha }, signal);
  await prepareWorktree(deps, taskId, signal);
}

/**
 * Makes the worktree in which a task goes on. Where that went with another machine, it is made of what the worker has pushed that had the
 * task, and the merge is begun in it that was to be put right: before the log says that it is there. What was ended in the middle is begun again
 * when it is called again.
 *
 * @throws {CliffordError} `FETCH_FAILED`, `UNCOMMITTED`, `SETUP_FAILED`: why there is none that is fit for work.
 */
export async function bringBack(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<void> {
  const { offer, worktree } = taskOf(deps, taskId) ?? {};
  const isToBring =
    worktree !== undefined &&
    offer?.sha !== undefined &&
    (worktree.phase === 'claimed' || !(await isHere(deps, taskId, offer.sha, signal)));
  if (!isToBring) return prepareWorktree(deps, taskId, signal);
  await branchOf(deps, taskId, { ...offer, sha: offer.sha }, signal);
  const { branch, into } = worktreeOf(deps, taskId);
  await prepareWorktree(deps, taskId, signal, async (made) =>
    made.merge.bringIn(await made.commitOf(refOf(into)), `Merge ${into} into ${branch}`),
  );
}

/** Says that the worktree is about to be made, and brings its branch to what was pushed: unless both was done before. */
async function branchOf(
  deps: JobDeps,
  taskId: string,
  { base, sha, worker }: TaskOffer & { readonly sha: string },
  signal: AbortSignal,
): Promise<void> {
  const known = taskOf(deps, taskId)?.worktree;
  const isClaimed =
    known?.phase === 'claimed' &&
    isClaimedHere(deps.project, known) &&
    !(await isUnnamed(deps, taskId, signal));
  if (isClaimed && (await hasPushed(deps, taskId, sha, signal))) return;
  // Said first: what cannot be brought is asked about as what cannot be merged.
  if (!isClaimed) await claimWorktree(deps, taskId, { signal, base });
  await bringBranch(deps, { branch: worktreeOf(deps, taskId).branch, sha, worker }, signal);
}

/** Whether its folder is here, or could be made of its branch. */
async function isHere(deps: JobDeps, taskId: string, sha: string, signal: AbortSignal): Promise<boolean> {
  if (!isClaimedHere(deps.project, worktreeOf(deps, taskId))) return false;
  const worktree = await openTaskWorktree(deps, taskId, signal);
  return (await worktree.isThere()) || (await hasPushed(deps, taskId, sha, signal));
}

/** Whether its branch has what was pushed: also below a merge that was begun in it, and made its commit by itself. */
async function hasPushed(deps: JobDeps, taskId: string, sha: string, signal: AbortSignal): Promise<boolean> {
  const worktree = await openTaskWorktree(deps, taskId, signal);
  const tip = await worktree.tip();
  // What was not fetched yet git cannot look for.
  const isFetched = await hasCommit(new Git({ cwd: deps.project.root, env: {}, signal }), sha);
  return tip !== undefined && isFetched && worktree.isIn(sha, tip);
}

async function bringBranch(
  { project, sharing }: JobDeps,
  {
    branch,
    sha,
    worker,
  }: { readonly branch: string; readonly sha: string; readonly worker: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const git = new Git({ cwd: project.root, env: {}, signal });
  if (!(await hasCommit(git, sha))) await sharing?.fetch(signal);
  if (!(await hasCommit(git, sha)))
    throw uncommitted(
      `its commit ${sha.slice(0, 12)}, which worker ${worker ?? 'unknown'} has made, is not in what was fetched`,
      'Push it from there',
    );
  await git.read(['branch', '--force', '--no-track', branch, sha]);
}
