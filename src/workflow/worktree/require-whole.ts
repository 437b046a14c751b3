import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { realPath } from '../../lib/files/real-path.ts';
import { ownText } from '../../lib/files/plain-file.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import { Git } from '../git/git.ts';
import { commonDirOf, hasBranch, refOf } from '../git/repository.ts';
import { uncommitted } from '../git/uncommitted.ts';
import type { Project } from '../project/project.ts';
import { worktreeFolder } from './work-folder.ts';

/** A path, or the moves of a branch. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Makes sure that a worktree that is there is still that of its repository, and has its branch: git says of none of that what is so.
 *
 * @param how - `withTarget`: the branch, too, that its changes are for.
 * @throws {CliffordError} `UNCOMMITTED`: what somebody has moved or removed, and how it comes back.
 */
export async function requireWhole(
  project: Pick<Project, 'root'>,
  worktree: WorktreeState,
  { signal, withTarget }: { readonly signal: AbortSignal; readonly withTarget: boolean },
): Promise<void> {
  const { root } = project;
  const { branch, into, base } = worktree;
  const folder = worktreeFolder(project, { worktree }) ?? root;
  const link = /^gitdir: (.+)/.exec(ownText(join(folder, '.git'), { maxBytes: MAX_BYTES }) ?? '')?.[1];
  if (link === undefined) return;
  const notes = resolve(folder, link);
  if (!existsSync(notes))
    throw uncommitted(
      `the project was moved since the worktree ${folder} was made, which looks for it at ${notes}`,
      `Have the two find each other again with: git worktree repair ${shellWord(folder)}`,
      'moved',
    );
  const git = new Git({ cwd: root, env: {}, signal });
  const common = await commonDirOf(git, root);
  if (common !== undefined && dirname(dirname(realPath(notes) ?? notes)) !== common)
    throw uncommitted(
      `the worktree ${folder} is of another repository, ${dirname(dirname(notes))}, of which this one may be a copy`,
      'Go on with the sprint in the project that it is of; in a copy, cancel it and begin another one',
      'moved',
    );
  if (!(await hasBranch(git, branch)))
    throw uncommitted(
      `its branch ${branch} was removed`,
      `Make it again with: git branch ${shellWord(branch)} ${lastCommitIn(notes) ?? base}`,
      'branch',
    );
  if (withTarget && !(await hasBranch(git, into)))
    throw uncommitted(
      `there is no branch ${into} any more, which its changes are for`,
      await wayBack(git, worktree),
      'branch',
    );
}

/** The last commit that was checked out in a worktree, as its own notes say. */
function lastCommitIn(notes: string): string | undefined {
  const moves = ownText(join(notes, 'logs/HEAD'), { maxBytes: MAX_BYTES })?.trimEnd().split('\n') ?? [];
  return moves.flatMap((line) => /^[\da-f]+ ([\da-f]*[1-9a-f][\da-f]*) /.exec(line)?.[1] ?? []).at(-1);
}

async function wayBack(git: Git, { into, base }: WorktreeState): Promise<string> {
  const head = (await git.run(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString('utf8').trim();
  const moves = await git.run(['reflog', 'show', '--format=%gs', head]);
  const isRenamed = moves.stdout.toString('utf8').includes(`renamed ${refOf(into)} to ${head}`);
  const now = head.replace('refs/heads/', '');
  return isRenamed
    ? `It is called ${now} now; call it as before with: git branch -m ${shellWord(now)} ${shellWord(into)}`
    : `Make it again with: git branch ${shellWord(into)} ${base}`;
}
