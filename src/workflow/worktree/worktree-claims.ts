import { v7 as uuidv7 } from 'uuid';
import type { StoredEvent } from '../../events/envelope.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { writeOwn } from '../../lib/files/write-own.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import type { WorktreeState } from '../../machines/worktree-state.ts';
import { isNotedHere, notePath } from '../project/own-notes.ts';
import type { Project } from '../project/project.ts';
import type { KnownWorktree } from './keeper.ts';

type Claimed = Pick<WorktreeState, 'claim'> | undefined;

/**
 * Notes that the next word of the log about where a worktree is will be said in this folder: its path reads the same on every machine.
 * By a note whose event was not said nothing is of this folder, as no other event has that id.
 *
 * @returns the id of the event that is to say it.
 */
export async function noteClaim({ dir }: Pick<Project, 'dir'>): Promise<string> {
  const claim = uuidv7();
  await writeOwn(dir, notePath({ dir }, claim), '');
  return claim;
}

/** Whether a worktree is that of this folder: at its path may be one of before, which another machine has made anew since. */
export function isClaimedHere({ dir }: Pick<Project, 'dir'>, worktree: Claimed): boolean {
  return worktree?.claim !== undefined && isNotedHere({ dir }, worktree.claim);
}

/** Whether it is that of another machine, which has this log, too: what is at its path here is of before. */
export function isMadeElsewhere(project: Pick<Project, 'dir' | 'isShared'>, worktree: Claimed): boolean {
  return project.isShared && !isClaimedHere(project, worktree);
}

/**
 * Records of the worktree of a task what `choose` says, where it is that of this folder still: while this machine was cut off, another one may
 * have made it anew, and what became of the one here is not said of that one.
 */
export function recordOfOwn(
  project: Pick<Project, 'dir' | 'isShared' | 'dispatch'>,
  { stream, taskId }: Pick<KnownWorktree, 'stream' | 'taskId'>,
  choose: (sprint: SprintState, task: TaskState) => readonly Candidate[],
): Promise<readonly StoredEvent[]> {
  return project.dispatch(stream, ({ streams }) => {
    const sprint = streams.get(stream);
    const task = sprint?.tasks.get(taskId);
    if (!sprint || !task?.worktree || isMadeElsewhere(project, task.worktree)) return [];
    return choose(sprint, task);
  });
}

/** The worktree is gone, and the log says so: one that was said to be another machine's would be left to that for ever. */
export function forgetWorktree(
  project: Pick<Project, 'dir' | 'state'>,
  { stream, taskId, worktree }: KnownWorktree,
): void {
  forgetClaim(project, worktree);
  forgetRun(project, project.state.streams.get(stream)?.tasks.get(taskId)?.agent?.runId);
}

/** Nothing in the log is said by this note any more. */
export function forgetClaim({ dir }: Pick<Project, 'dir'>, { claim }: WorktreeState): void {
  if (claim !== undefined) forgetNote({ dir }, claim);
}

/**
 * Notes that the agent of an attempt works from this folder. Of a task that fails the note stays: what its last agent left may be looked for as
 * long as nobody has done it.
 */
export async function noteRun({ dir }: Pick<Project, 'dir'>, runId: string): Promise<void> {
  await writeOwn(dir, notePath({ dir }, runId), '');
}

/** What it made has its commit, is gone, or is the next one's: nobody will look for that here. */
export function forgetRun({ dir }: Pick<Project, 'dir'>, runId: string | undefined): void {
  if (runId !== undefined) forgetNote({ dir }, runId);
}

/** Whether it does, or did, and what it made may be here alone. */
export function isRunHere({ dir }: Pick<Project, 'dir'>, runId: string): boolean {
  return isNotedHere({ dir }, runId);
}

/** What is noted here by an id is over. */
export function forgetNote({ dir }: Pick<Project, 'dir'>, id: string): void {
  removeOwn(notePath({ dir }, id), dir);
}
