import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Git } from './git.ts';
import { withLastLines } from './git.ts';
import { uncommitted } from './uncommitted.ts';

/** The repository a project is in. */
export type Repository = {
  /** The project's root from the top of the repository: `''`, or a path that ends with `/`. */
  readonly prefix: string;
  /** The user's index, absolute. */
  readonly index: string;
  /** The commit that HEAD names; `undefined` while there is none. */
  readonly head: string | undefined;
};

/** Files in git's folder that say that something else is going on, and what. */
const underWay = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
};

/**
 * Finds the repository of a project.
 *
 * @param root - The project's root, the working directory of `git`.
 * @throws {CliffordError} why there is none.
 */
export async function findRepository(git: Git, root: string): Promise<Repository> {
  const found = await git.run(['rev-parse', '--show-prefix', '--git-path', 'index']);
  if (found.code !== 0) {
    if (found.stderr.includes('not a git repository'))
      throw uncommitted('the project is in no git repository', 'Make one with: git init');
    throw uncommitted(withLastLines(found.how, found.stderr));
  }
  const [prefix = '', index = ''] = found.stdout.toString('utf8').split('\n');
  return { prefix, index: resolve(root, index), head: await headOf(git) };
}

/** The commit that HEAD names; `undefined` while there is none. */
export async function headOf(git: Git): Promise<string | undefined> {
  const { code, stdout } = await git.run(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}']);
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/**
 * Makes sure that a commit now is what its user would expect: on a branch, by somebody git knows, and
 * not in the middle of something else.
 *
 * @throws {CliffordError} why it would not be.
 */
export async function refuseUnfit(git: Git, root: string): Promise<void> {
  const names = Object.keys(underWay);
  const paths = (await git.read(['rev-parse', ...names.flatMap((name) => ['--git-path', name])])).split('\n');
  const [, what] =
    Object.entries(underWay).find((_, index) => existsSync(resolve(root, paths[index] ?? ''))) ?? [];
  if (what !== undefined) throw uncommitted(`${what} is under way`, 'End it, and commit by hand');
  if ((await git.run(['symbolic-ref', '--quiet', 'HEAD'])).code !== 0) {
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
