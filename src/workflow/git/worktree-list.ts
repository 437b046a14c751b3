import type { Git } from './git.ts';

/** A worktree that git knows. */
export type ListedWorktree = {
  /** Absolute. */
  readonly path: string | undefined;
  /** The reference of the branch that is checked out in it; `undefined`: none is. */
  readonly branch: string | undefined;
};

/** All that git knows in a repository, that of the repository itself first. */
export async function listWorktrees(git: Git): Promise<ListedWorktree[]> {
  const list = await git.read(['worktree', 'list', '--porcelain']);
  const valueOf = (lines: string, name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(lines)?.[1];
  return list
    .split('\n\n')
    .map((lines) => ({ path: valueOf(lines, 'worktree'), branch: valueOf(lines, 'branch') }));
}
