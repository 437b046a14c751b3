import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { realPath } from '../../lib/files/real-path.ts';
import { gitFailed } from './git-failed.ts';
import { type Git, withLastLines } from './git.ts';
import { readStatus, type GitStatus, type StatusScope } from './git-status.ts';
import { uncommitted } from './uncommitted.ts';

/** Where the repository of a project is. */
type FoundRepository = {
  /** The top folder of its work tree, absolute. */
  readonly top: string;
  /** The project's root from the top of the repository: `''`, or a path that ends with `/`. */
  readonly prefix: string;
  /** The user's index, absolute. */
  readonly index: string;
  /** What else is going on, e.g. a merge. */
  readonly underWay: string | undefined;
};

/** The repository a project is in, at one instant. */
export type Repository = FoundRepository & GitStatus;

/** Files in git's folder that say that something else is going on, and what. */
const UNDER_WAY = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
};

/**
 * Looks at the repository of a project.
 *
 * @param root - The project's root, the working directory of `git`.
 * @throws {CliffordError} why there is none.
 */
export async function readRepository(git: Git, root: string, scope?: StatusScope): Promise<Repository> {
  const found = await findRepository(git, root);
  return { ...found, ...(await readStatus(git, found.prefix, scope)) };
}

/** The same without looking at any file. */
export async function findRepository(git: Git, root: string): Promise<FoundRepository> {
  const names = ['index', ...Object.keys(UNDER_WAY)];
  const found = await git.run([
    'rev-parse',
    '--show-toplevel',
    '--show-prefix',
    ...names.flatMap((name) => ['--git-path', name]),
  ]);
  if (found.code !== 0) {
    if (found.stderr.includes('not a git repository'))
      throw uncommitted('the project is in no git repository', 'Make one with: git init');
    throw gitFailed(withLastLines(found.how, found.stderr));
  }
  const [top = '', prefix = '', ...paths] = found.stdout.toString('utf8').split('\n');
  const [index = '', ...others] = paths.map((path) => resolve(root, path));
  const at = others.findIndex((path) => path !== root && existsSync(path));
  const underWay = Object.values(UNDER_WAY)[at];
  return { top, prefix, index, underWay };
}

/** The folder in which git keeps what all worktrees of a repository share, absolute, all links followed; `undefined`: there is no repository. */
export async function commonDirOf(git: Git, root: string): Promise<string | undefined> {
  const { code, stdout } = await git.run(['rev-parse', '--git-common-dir']);
  if (code !== 0) return undefined;
  const folder = resolve(root, stdout.toString('utf8').trim());
  return realPath(folder) ?? folder;
}

/** The full name of a branch. */
export function refOf(branch: string): string {
  return `refs/heads/${branch}`;
}

/** Whether there is a branch of this name. */
export async function hasBranch(git: Git, branch: string): Promise<boolean> {
  return (await git.run(['rev-parse', '--quiet', '--verify', refOf(branch)])).code === 0;
}

/** The commit that HEAD names; `undefined` while there is none. */
export async function headOf(git: Git): Promise<string | undefined> {
  const { code, stdout } = await git.run(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']);
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/**
 * Whether a commit is in the history of another.
 *
 * @throws {CliffordError} `UNCOMMITTED` when git cannot tell, e.g. since one of them is not there.
 */
export async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  const { code, how, stderr } = await git.run(['merge-base', '--is-ancestor', one, other]);
  if (code > 1) throw uncommitted(withLastLines(how, stderr), 'See to it, and try it again');
  return code === 0;
}

/** Whether a commit is in the repository. */
export async function hasCommit(git: Git, sha: string): Promise<boolean> {
  return (await git.run(['cat-file', '-e', `${sha}^{commit}`])).code === 0;
}

/**
 * Makes sure that a commit now is what its user would expect: on a branch, by somebody git knows, and
 * not in the middle of something else.
 *
 * @throws {CliffordError} why it would not be.
 */
export async function refuseUnfit(git: Git, { underWay, isDetached }: Repository): Promise<void> {
  if (underWay !== undefined) throw uncommitted(`${underWay} is under way`, 'End it, and commit by hand');
  if (isDetached) {
    throw uncommitted(
      'HEAD is detached: a commit would belong to no branch',
      'Switch to a branch, and commit by hand',
    );
  }
  for (const who of ['AUTHOR', 'COMMITTER']) {
    const { code } = await git.run(['-c', 'user.useConfigOnly=true', 'var', `GIT_${who}_IDENT`]);
    if (code !== 0) {
      throw uncommitted(
        'git does not know whose commit it would be',
        'Tell it with: git config user.name "…" and git config user.email "…"',
      );
    }
  }
}
