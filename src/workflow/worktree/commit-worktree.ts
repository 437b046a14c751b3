import { join, relative } from 'node:path';
import type { Project } from '../project/project.ts';
import { makeCommit, COMMIT_LIMIT_MS, type CommitOrder, type CommitResult } from '../commit/commit-task.ts';
import { commitTitle } from '../git/commit-title.ts';
import { gitFailed } from '../git/git-failed.ts';
import { Git, withLastLines } from '../git/git.ts';
import { pathFromRoot } from '../git/git-status.ts';
import { refuseSecrets } from '../commit/secret-scan.ts';
import { diffOfIndex } from '../git/staged-tree.ts';
import type { PutRight } from '../commit/commit-message.ts';
import { listed } from '../../lib/text/listed.ts';
import { isUncommitted, uncommitted } from '../git/uncommitted.ts';
import { mergingGit } from '../git/merging-git.ts';
import type { TaskWorktree } from './task-worktree.ts';

type OwnCommit = Pick<CommitResult & { readonly is: 'committed' }, 'sha' | 'files' | 'title'>;

/** What the branch of a task has now. */
export type BranchCommit =
  /** `files`: from the project's root. None where what was changed was changed back. */
  | {
      readonly is: 'committed';
      readonly sha: string;
      readonly files: readonly string[];
      /** The first line of its message. */
      readonly title?: string | undefined;
      /** The last commit that Clifford has made of them for this attempt. */
      readonly own?: OwnCommit | undefined;
    }
  | { readonly is: 'unchanged' };

/** Whose changes are committed, and where. */
export type BranchOrder = Omit<CommitOrder, 'own'> & {
  readonly worktree: TaskWorktree;
  /** Where the project is in the worktree, absolute. */
  readonly workRoot: string;
  /** The same from its top, with `/` at its end; `''`: that is the top. */
  readonly prefix: string;
  /** The commit that the branch began with, and the branch that its changes are for. */
  readonly base: string;
  readonly into: string;
  /** Its changes have a commit, or were to have one: what comes since was put right. */
  readonly putRight: PutRight | undefined;
};

/**
 * Commits what a task has changed in its worktree, to its branch; what its agent has committed there already is left as it
 * is. Ends a merge that somebody has put right there. Safe to call again.
 *
 * @throws {CliffordError} `UNCOMMITTED`: why that cannot be done.
 * @throws the signal's reason when it aborts.
 */
export async function commitWorktree(
  project: Pick<Project, 'root' | 'dir' | 'asLogged'>,
  order: BranchOrder,
): Promise<BranchCommit> {
  const { worktree, workRoot, base, prefix, folder, putRight } = order;
  let own: OwnCommit | undefined;
  await worktree.recover();
  if (await worktree.merge.isUnderWay()) await concludeMerge(project, order);
  else {
    const here = { root: workRoot, dir: project.dir, asLogged: project.asLogged };
    const dir = join(workRoot, relative(project.root, folder.dir));
    try {
      const result = await makeCommit(here, { ...order, folder: { ...folder, dir }, own: { putRight } });
      if (result.is === 'uncommitted') throw uncommitted(result.reason, 'See to it in its worktree');
      own = result;
    } catch (error) {
      // What it could not commit is there still. What is committed already, or was not changed, is not.
      if (!isUncommitted(error) || (await worktree.work()).length > 0) throw error;
    }
  }
  // With what was committed now: the worktree goes once that is merged.
  await worktree.requirePushed();
  const sha = await worktree.tip();
  if (sha === undefined) throw uncommitted('its branch is gone', 'Make it again in its worktree');
  if (sha === base) return { is: 'unchanged' };
  const files = (await worktree.changedSince(order.into)).map((path) => pathFromRoot(prefix, path));
  const git = new Git({ ...order, cwd: workRoot });
  const title = sha === own?.sha ? own.title : await commitTitle(git, sha);
  return { is: 'committed', sha, files, title, own };
}

/** Commits a merge in which nothing is left undecided. */
async function concludeMerge(
  { asLogged }: Pick<Project, 'asLogged'>,
  { worktree, workRoot, signal, env }: BranchOrder,
): Promise<void> {
  const undecided = await worktree.merge.undecided();
  if (undecided.length > 0)
    throw uncommitted(
      `the merge in its worktree is not put right yet: ${listed(undecided)}`,
      'Decide it there, and git add the files',
    );
  const git = await mergingGit({ cwd: workRoot, signal, env });
  const prepared = (await worktree.prepared()).map((path) => `:(top,exclude,literal)${path}`);
  await git.read(['add', '--all', '--', ':/', ...prepared]);
  await refuseSecrets(git, await diffOfIndex(git, 'MERGE_HEAD'), asLogged);
  const ended = await git.run(['commit', '--quiet', '--no-edit'], {
    limitMs: COMMIT_LIMIT_MS,
    hasHooks: true,
  });
  if (ended.code !== 0)
    throw gitFailed(withLastLines(ended.how, `${ended.stdout.toString('utf8')}${ended.stderr}`));
}
