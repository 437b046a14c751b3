import { z } from 'zod';
import { clip } from '../../lib/text/clip.ts';
import { count } from '../../lib/text/count.ts';
import { observation } from '../descriptor.ts';
import { nameSchema, textSchema } from '../field-schemas.ts';
import { byWhom } from '../text-parts.ts';

/** Why the changes of a task could not be merged: what is asked about then. */
export const stuckReasons = ['conflict', 'verify', 'commit', 'landing'] as const;

/** What is done about that: an agent goes on with the task, it is tried again, or the changes are given up. */
const settlements = ['agent', 'again', 'drop'] as const;

/** What is lost of a worktree that was worked in. `kept`: what of it is there still. */
export function lostText({ kept }: { readonly kept: 'branch' | 'nothing' }): string {
  return kept === 'branch'
    ? 'its worktree is gone: what no commit had is lost'
    : 'its worktree is gone, and its branch: what was made in it is lost';
}

/** How work is seen that is kept by a reference, and had again. */
export function keptText(ref: string): string {
  return `git show ${ref} shows it, git cherry-pick ${ref} or git checkout ${ref} -- . brings it back`;
}

/** Facts about the git worktree of a task that runs beside others. Subject: the task. */
export const worktreeEvents = {
  /**
   * Said before it is made. `path`: its folder, from the project's root if that is possible, with `/`. `base`: the commit
   * that it begins with; `into`: the branch that its changes are for. `slot`: a number that no other worktree has that is
   * there, from 1. `prefix`: where the project is in it, if that is not its top.
   */
  'worktree.claimed': observation({
    data: () =>
      z.strictObject({
        path: textSchema,
        branch: nameSchema,
        into: nameSchema,
        base: nameSchema,
        slot: z.int().positive(),
        prefix: textSchema.optional(),
      }),
    text: ({ path, branch, base }) => `${path}, branch ${branch} from ${base.slice(0, 12)}`,
  }),
  /** It is there, with the files that git does not have, and its setup has succeeded. */
  'worktree.prepared': observation({
    data: () => z.strictObject({ copied: z.array(textSchema) }),
    text: ({ copied }) => (copied.length === 0 ? '' : `${count(copied.length, 'file')} copied into it`),
  }),
  /** It was worked in, and what was there is gone; it is made again. `kept`: what of it was there still. `sha`: what it has now. */
  'worktree.remade': observation({
    data: () => z.strictObject({ kept: z.enum(['branch', 'nothing']), sha: nameSchema }),
    title: 'Worktree was gone',
    text: ({ kept, sha }) => `${lostText({ kept })}. It is made again at ${sha.slice(0, 12)}`,
    mark: 'failure',
  }),
  /** What was about to be destroyed in it and was in no commit, or on no branch, is kept: `ref` names the commit `sha`. `why`: what it is. */
  'worktree.kept': observation({
    data: () => z.strictObject({ ref: nameSchema, sha: nameSchema, why: textSchema }),
    title: 'Work is kept',
    text: ({ ref, why }) => `${clip(why, 300)}: ${keptText(ref)}`,
    mark: 'steered',
  }),
  /** The changes of a completed task cannot be merged, or brought into a worktree for that: a human is asked, by the request. `files`: those in conflict. */
  'worktree.stuck': observation({
    data: () =>
      z.strictObject({
        requestId: nameSchema,
        why: z.enum(stuckReasons),
        reason: textSchema,
        files: z.array(textSchema),
      }),
    title: 'Changes cannot be merged',
    text: ({ reason }) => clip(reason, 300),
    mark: 'failure',
    // What the tasks of the sprint add up to.
    projections: ['statuses'],
  }),
  /** What is done about it; without `requestId` nobody was asked. */
  'worktree.settled': observation({
    data: () =>
      z.strictObject({
        requestId: nameSchema.optional(),
        how: z.enum(settlements),
        by: nameSchema,
      }),
    text: ({ how, by }) =>
      `${{ agent: 'an agent goes on with it', again: 'it is tried again', drop: 'its changes are given up' }[how]}, said ${by}`,
    projections: ['statuses'],
  }),
  /** The branch has its changes: `sha` is in it. */
  'worktree.merged': observation({
    data: () => z.strictObject({ sha: nameSchema, into: nameSchema }),
    title: 'Changes merged',
    text: ({ sha, into }) => `${sha.slice(0, 12)} is in ${into}`,
    mark: 'task',
    projections: ['statuses'],
  }),
  /** Somebody has given up what is in it. */
  'worktree.dropped': observation({
    data: () => z.strictObject({ by: nameSchema, reason: textSchema.optional() }),
    text: byWhom,
    mark: 'steered',
    projections: ['statuses'],
  }),
  /**
   * Its folder and its branch are gone, after it was merged or dropped. `sha`: the last commit of the branch. `leftBy`: who has said that nobody
   * waits any more for the machine that has them, where they may be still.
   */
  'worktree.removed': observation({
    data: () =>
      z.strictObject({
        path: textSchema,
        branch: nameSchema,
        sha: nameSchema.optional(),
        leftBy: nameSchema.optional(),
      }),
    text: ({ path, branch, sha, leftBy }) => {
      const was = sha === undefined ? '' : `, which was at ${sha.slice(0, 12)}`;
      return `${path}, branch ${branch}${was}${leftBy === undefined ? '' : `, left to its machine by ${leftBy}`}`;
    },
  }),
};
