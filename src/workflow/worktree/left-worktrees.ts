import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { realPathToBe } from '../../lib/files/real-path.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { Git } from '../git/git.ts';
import { uncommittedReason } from '../git/uncommitted.ts';
import { commonDirOf, refOf } from '../git/repository.ts';
import { listWorktrees, type ListedWorktree } from '../git/worktree-list.ts';
import type { Project } from '../project/project.ts';
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

/**
 * What is left here of tasks whose worktrees were made anew since, on another machine that shares the log, or after this one was lost: nobody
 * but a human knows whether what is in it is still wanted. Changes nothing.
 */
export async function leftWorktrees(
  project: Pick<Project, 'root' | 'mirror' | 'refresh'>,
  { only, signal }: { readonly only?: string | undefined; readonly signal: AbortSignal },
): Promise<LeftWorktree[]> {
  const { root } = project;
  // What was made here lately may not be in it.
  if (project.mirror) return [];
  const git = new Git({ cwd: root, env: {}, signal });
  // Without git there are none either.
  if ((await commonDirOf(git, root).catch(() => undefined)) === undefined) return [];
  const [, ...listed] = await listWorktrees(git);
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
      `it is of before, and the log knows it no more${content === '' ? '' : `: ${content}`}; ` +
      `look at it, and remove it with git worktree remove ${shellWord(path)}`;
    const name = branch?.replace(/^refs\/heads\//, '');
    left.push({ stream, taskId: task.id, path: loggedPath(root, path), branch: name, why });
  }
  return left;
}

/** Whether its branch, or the end of its path where it has none, is what a worktree of the task is called. */
function isNamedAfter({ path = '', branch }: ListedWorktree, stream: string, taskId: string): boolean {
  const name = worktreeBranch(stream, taskId);
  const isOne = (found: string, first: string) =>
    found === first || (found.startsWith(`${first}-`) && /^\d+$/.test(found.slice(first.length + 1)));
  if (branch !== undefined) return isOne(branch, refOf(name));
  return basename(dirname(path)) === stream && isOne(basename(path), basename(name));
}

async function contentOf(folder: string, branch: string | undefined, signal: AbortSignal) {
  const git = new Git({ cwd: folder, env: {}, signal });
  const others = [...(branch === undefined ? [] : [`--exclude=${branch}`]), '--glob=refs/*'];
  const ahead = await git.read(['rev-list', '--count', 'HEAD', '--not', ...others]);
  const changed = await git.read(['status', '--porcelain', '--untracked-files=all']);
  return { ahead: Number(ahead), left: changed.split('\n').filter((line) => line !== '').length };
}
