import { basename, join, resolve } from 'node:path';
import type { Git } from '../git/git.ts';
import { findRepository, headOf } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';

/**
 * The branch that is checked out, its last commit, and where the project is in the repository.
 *
 * @throws {CliffordError} `UNCOMMITTED`: why no worktree can begin there.
 */
export async function headForWork(
  git: Git,
  root: string,
): Promise<{ readonly into: string; readonly base: string; readonly prefix: string }> {
  const { prefix } = await findRepository(git, root);
  const { stdout } = await git.run(['symbolic-ref', '--quiet', 'HEAD']);
  const ref = stdout.toString('utf8').trim();
  if (!ref.startsWith('refs/heads/'))
    throw uncommitted('HEAD is detached: there is no branch to merge into', 'Check out a branch');
  const base = await headOf(git);
  if (base === undefined) throw uncommitted('the repository has no commit yet', 'Make the first one');
  return { into: ref.slice('refs/heads/'.length), base, prefix };
}

/** The folder of all worktrees of a project, absolute: beside it, unless it is said otherwise. */
export function worktreesFolder(root: string, dir: string | undefined): string {
  return resolve(root, dir ?? join('..', `${basename(root)}.worktrees`));
}
