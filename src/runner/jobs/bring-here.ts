import type { WorktreeState } from '../../machines/worktree-state.ts';
import { Git } from '../../workflow/commit/git.ts';
import { hasCommit } from '../../workflow/commit/repository.ts';
import { openWorktree } from '../../workflow/worktree/open-worktree.ts';
import { uncommitted } from '../../workflow/commit/uncommitted.ts';
import type { JobDeps } from './job-deps.ts';
import { claimWorktree, prepareWorktree, taskOf, worktreeOf } from './prepare-worktree.ts';

/**
 * Makes the worktree of a task that another worker has done: its branch has the commit which that one has pushed. One that is here stays as it
 * is; so does that of a task which was done here.
 *
 * @throws {CliffordError} `FETCH_FAILED`; `UNCOMMITTED`, `SETUP_FAILED`: why there is none that can be merged.
 */
export async function bringHere(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<void> {
  const { offer, worktree } = taskOf(deps, taskId) ?? {};
  if (offer?.phase !== 'ended' || offer.sha === undefined) return;
  if (!worktree || !(await (await openWorktree(deps.project, worktree, signal)).isThere())) {
    // Said first: what cannot be brought is asked about as what cannot be merged.
    await claimWorktree(deps, taskId, { signal, base: offer.base });
    await makeBranch(
      deps,
      { branch: worktreeOf(deps, taskId).branch, sha: offer.sha, worker: offer.worker },
      signal,
    );
  }
  await prepareWorktree(deps, taskId, signal);
}

/**
 * Makes the worktree in which a task goes on. Where that went with another machine, it is made of what the worker has pushed that had the
 * task, and the merge is begun in it that was to be put right.
 *
 * @throws {CliffordError} `FETCH_FAILED`, `UNCOMMITTED`, `SETUP_FAILED`: why there is none that is fit for work.
 */
export async function bringBack(deps: JobDeps, taskId: string, signal: AbortSignal): Promise<void> {
  const { offer, worktree } = taskOf(deps, taskId) ?? {};
  const isAway = worktree !== undefined && offer?.sha !== undefined && (await isGone(deps, worktree, signal));
  if (!isAway) return prepareWorktree(deps, taskId, signal);
  await claimWorktree(deps, taskId, { signal, base: offer.base });
  const { branch, into } = worktreeOf(deps, taskId);
  await makeBranch(deps, { branch, sha: offer.sha, worker: offer.worker }, signal);
  await prepareWorktree(deps, taskId, signal);
  const here = await openWorktree(deps.project, worktreeOf(deps, taskId), signal);
  await here.bringIn(await here.commitOf(into), `Merge ${into} into ${branch}`);
}

/** Neither its folder nor its branch is here. */
async function isGone({ project }: JobDeps, known: WorktreeState, signal: AbortSignal): Promise<boolean> {
  const worktree = await openWorktree(project, known, signal);
  return !(await worktree.isThere()) && (await worktree.tip()) === undefined;
}

async function makeBranch(
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
  await git.read(['branch', '--no-track', branch, sha]);
}
