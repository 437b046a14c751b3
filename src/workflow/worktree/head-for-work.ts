import { basename, dirname, join, resolve } from 'node:path';
import type { Git } from '../git/git.ts';
import { findRepository, headOf } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';

/** Where a project is in its repository: the top folder of that, and the project's root from there, with `/` at its end. */
type InRepository = { readonly top: string; readonly prefix: string };

/**
 * The branch that is checked out, its last commit, and where the project is in the repository.
 *
 * @throws {CliffordError} `UNCOMMITTED`: why no worktree can begin there.
 */
export async function headForWork(
  git: Git,
  root: string,
): Promise<InRepository & { readonly into: string; readonly base: string }> {
  const { top, prefix } = await findRepository(git, root);
  const { stdout } = await git.run(['symbolic-ref', '--quiet', 'HEAD']);
  const ref = stdout.toString('utf8').trim();
  if (!ref.startsWith('refs/heads/'))
    throw uncommitted('HEAD is detached: there is no branch to merge into', 'Check out a branch');
  const base = await headOf(git);
  if (base === undefined) throw uncommitted('the repository has no commit yet', 'Make the first one');
  return { into: ref.slice('refs/heads/'.length), base, top, prefix };
}

/** The folder of all worktrees of a project, absolute: beside it, or beside the repository it is a part of, unless it is said otherwise. */
export function worktreesFolder(
  root: string,
  dir: string | undefined,
  { top, prefix }: InRepository,
): string {
  if (dir !== undefined) return resolve(root, dir);
  const inner = prefix.split('/').filter(Boolean);
  const beside = inner.length === 0 ? root : top;
  return join(dirname(beside), `${[basename(beside), ...inner].join('.')}.worktrees`);
}
