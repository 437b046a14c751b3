import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isElsewhere } from '../../machines/fold-offer.ts';
import { isWorktreeWanted } from '../../machines/fold-worktree.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import { isOpenWorktree } from '../../machines/worktree-state.ts';
import { Git, type GitPlace } from '../../workflow/git/git.ts';
import { hasCommit } from '../../workflow/git/repository.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isClaimedHere } from '../../workflow/worktree/worktree-claims.ts';

/** A task whose work is not in what was fetched: it is done, or in a worktree elsewhere. */
export type MissingWork = {
  readonly task: string;
  /** Of its commit, if it was made. */
  readonly sha: string | undefined;
  /** The attempt that has done it, where that made no commit and a commit of it may be made by hand. */
  readonly attempt?: number | undefined;
  readonly runId?: string | undefined;
  /** The commit of a worker that had the task, which is there: only its merge is not. */
  readonly unmerged?: string | undefined;
};

/** Names each task whose work is missing, and its commit. */
export function missingText(missing: readonly Pick<MissingWork, 'task' | 'sha'>[]): string {
  const each = ({ task, sha }: Pick<MissingWork, 'task' | 'sha'>) =>
    sha === undefined ? `${task}, which has no commit` : `${task}, commit ${sha.slice(0, 12)}`;
  return missing.map(each).join('; ');
}

/** What is known of the work on a sprint besides the log. */
export type KnownWork = {
  /** Tasks whose work is in this folder and has no commit yet. */
  readonly here: ReadonlySet<string>;
  readonly project: Pick<Project, 'root' | 'dir'>;
  /** Whether the work on a task is to become a commit. */
  readonly wantsCommit: (task: string) => boolean;
};

/**
 * The tasks that are done by the log and whose work a checkout does not have: the worker that did it was gone before it had pushed.
 * Going on without would be a sprint with holes in it.
 */
export async function missingWork(
  place: GitPlace,
  sprint: SprintState,
  { here, project, wantsCommit }: KnownWork,
): Promise<MissingWork[]> {
  const git = new Git(place);
  const missing: MissingWork[] = [];
  for (const task of sprint.tasks.values()) {
    // Another worker has it, or has pushed it: it is fetched when it is merged.
    if (isElsewhere(task) || (task.offer?.phase === 'ended' && task.offer.sha !== undefined)) continue;
    if (isOpenWorktree(task)) {
      // What is in it is merged from there, also what an agent has made of a conflict since.
      if (!isWorktreeWanted(task) || isHere(project, task)) continue;
      const unmerged = await pushedCommit(git, task);
      // The next attempt goes on with what was pushed.
      const goesOn = unmerged !== undefined && nameOf(task.machine.value) !== 'done.completed';
      if (!goesOn) missing.push({ task: task.id, sha: undefined, unmerged });
      continue;
    }
    const sha = commitOf(task);
    if (sha === undefined) {
      const isLost = isUncommitted(task) && wantsCommit(task.id) && !here.has(task.id);
      if (isLost)
        missing.push({ task: task.id, sha, attempt: task.machine.context.attempt, runId: task.agent?.runId });
      continue;
    }
    const { code } = await git.run(['merge-base', '--is-ancestor', sha, 'HEAD']);
    if (code !== 0) missing.push({ task: task.id, sha, unmerged: await pushedCommit(git, task) });
  }
  return missing;
}

/** The commit that a worker has pushed which had the task, if that is there: its branch stays when it is merged. */
async function pushedCommit(git: Git, { offer }: TaskState): Promise<string | undefined> {
  const sha = offer?.sha;
  return sha !== undefined && (await hasCommit(git, sha)) ? sha : undefined;
}

/** The commit that the log names for a task, or that of its merge; `undefined`: it names none. */
export function commitOf({ commit, worktree }: Pick<TaskState, 'commit' | 'worktree'>): string | undefined {
  return worktree?.merged ?? (commit && 'sha' in commit ? commit.sha : undefined);
}

/** Whether its worktree is on this machine: it is there, and it is this folder that was the last to claim it. */
export function isHere(
  project: Pick<Project, 'root' | 'dir'>,
  { worktree }: Pick<TaskState, 'worktree'>,
): boolean {
  return (
    worktree !== undefined &&
    isClaimedHere(project, worktree) &&
    existsSync(resolve(project.root, worktree.path))
  );
}

/** A runner's attempt has completed it, and nobody has said what became of its commit. */
export function isUncommitted({ machine, agent, commit, worktree }: TaskState): boolean {
  return (
    nameOf(machine.value) === 'done.completed' &&
    commit === undefined &&
    worktree === undefined &&
    agent?.attempt === machine.context.attempt
  );
}
