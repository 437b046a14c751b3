import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { Git } from '../git/git.ts';
import { uncommittedReason } from '../git/uncommitted.ts';
import { commonDirOf, findRepository, refOf } from '../git/repository.ts';
import { listWorktrees, type ListedWorktree } from '../git/worktree-list.ts';
import type { Project } from '../project/project.ts';
import { worktreesFolder } from './head-for-work.ts';
import { contentText } from './content-text.ts';
import { loggedPath, worktreeFolder } from './work-folder.ts';
import { worktreeBranch } from './worktree-names.ts';

/** A worktree that git knows here, by its name that of a task, and that the log does not know any more. */
export type LeftWorktree = {
  readonly stream: string;
  readonly taskId: string;
  /** As the log would name it. */
  readonly path: string;
  /** `undefined`: none is checked out in it. */
  readonly branch: string | undefined;
  readonly why: string;
};

type Order = {
  /** `worktrees.dir`. */
  readonly dir: string | undefined;
  readonly only?: string | undefined;
  readonly signal: AbortSignal;
};

/**
 * What is left here, in the folder of the project's worktrees, of tasks whose worktrees were made anew since, on another machine that shares the log, or after this one was lost: nobody
 * but a human knows whether what is in it is still wanted. Changes nothing.
 */
export async function leftWorktrees(
  project: Pick<Project, 'root' | 'mirror' | 'refresh'>,
  { dir, only, signal }: Order,
): Promise<LeftWorktree[]> {
  const { root } = project;
  // What was made here lately may not be in it.
  if (project.mirror) return [];
  const git = new Git({ cwd: root, env: {}, signal });
  // Without git there are none either.
  if ((await commonDirOf(git, root).catch(() => undefined)) === undefined) return [];
  // Another project of the repository has a folder of its own, and sprints of the same names.
  const folder = realPathToBe(worktreesFolder(root, dir, await findRepository(git, root)));
  const listed = (await listWorktrees(git)).filter(
    ({ path }) => path !== undefined && isTwoBelow(folder, path),
  );
  if (listed.length === 0) return [];
  // Looked at after that: one that is being made is in the log before git knows it.
  const sprints = [...(await project.refresh()).streams.values()];
  const tasks = sprints.flatMap(({ id, tasks: own }) => [...own.values()].map((task) => [id, task] as const));
  const known = new Set(
    tasks.flatMap(([, task]) => worktreeFolder(project, task) ?? []).map((folder) => realPathToBe(folder)),
  );
  const left: LeftWorktree[] = [];
  for (const each of listed) {
    const { path, branch } = each;
    if (path === undefined || known.has(realPathToBe(path)) || !existsSync(path)) continue;
    const [stream, task] = tasks.find(([id, { id: taskId }]) => isNamedAfter(each, id, taskId)) ?? [];
    if (stream === undefined || !task || (only !== undefined && only !== stream)) continue;
    const content = await contentOf(path, branch, signal).then(contentText, uncommittedReason);
    const why =
      `it is of before, or of another checkout of this repository, and this log does not know it${content === '' ? '' : `: ${content}`}; ` +
      `look at it, commit what is wanted, and remove it with git worktree remove ${shellWord(path)}`;
    const name = branch?.replace(/^refs\/heads\//, '');
    left.push({ stream, taskId: task.id, path: loggedPath(root, path), branch: name, why });
  }
  return left;
}

/** Where worktrees are: in a folder of its own below that of its sprint. */
function isTwoBelow(folder: string, path: string): boolean {
  return dirname(dirname(realPathToBe(path))) === folder;
}

/** Whether its folder, and its branch, if it has one, are called what those of a worktree of the task are. */
function isNamedAfter({ path = '', branch }: ListedWorktree, stream: string, taskId: string): boolean {
  const name = worktreeBranch(stream, taskId);
  const isOne = (found: string, first: string) =>
    found === first || (found.startsWith(`${first}-`) && /^\d+$/.test(found.slice(first.length + 1)));
  return (
    basename(dirname(path)) === stream &&
    isOne(basename(path), basename(name)) &&
    (branch === undefined || isOne(branch, refOf(name)))
  );
}

async function contentOf(folder: string, branch: string | undefined, signal: AbortSignal) {
  const git = new Git({ cwd: folder, env: {}, signal });
  const others = [...(branch === undefined ? [] : [`--exclude=${branch}`]), '--glob=refs/*'];
  const ahead = await git.read(['rev-list', '--count', 'HEAD', '--not', ...others]);
  const changed = await git.read(['status', '--porcelain', '--untracked-files=all']);
  return { ahead: Number(ahead), left: changed.split('\n').filter((line) => line !== '').length };
}
