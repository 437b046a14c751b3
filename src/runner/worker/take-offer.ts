import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { count } from '../../lib/text/count.ts';
import { isElsewhere, lostWork } from '../../machines/fold-offer.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { TaskOffer } from '../../machines/task-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { Project } from '../../workflow/project/project.ts';
import { worktreeBranch } from '../../workflow/worktree/worktree-names.ts';
import { freeSlot } from '../../workflow/worktree/worktree-slot.ts';
import { unverifiedLost } from '../reconcile/lose-unverified.ts';
import { afterOf, SPRINT_TAKEN, type Taken, type Taking } from './take-sprint.ts';

/** The task, and the worker that takes it. */
export type TakingTask = Taking & { readonly taskId: string };

/** An offer that a worker has: it says where commits are pushed. */
export type TakenOffer = TaskOffer & { readonly branch: string };

/**
 * Says in the log that a task is this worker's from now on: a worker that had it before can decide nothing about it any more.
 *
 * @returns whether it is; the offer, if a worker ever had it.
 */
export async function takeOffer(
  project: Pick<Project, 'dispatch' | 'state'>,
  { stream, taskId, worker, losses, deadlineMs }: TakingTask,
): Promise<{ readonly taken: Taken; readonly offer: TakenOffer | undefined }> {
  let taken: Taken = 'over';
  const subject = subjectOf(stream, taskId);
  await project.dispatch(stream, (state): Candidate[] => {
    taken = 'over';
    const sprint = state.streams.get(stream);
    const task = sprint?.tasks.get(taskId);
    const { offer } = task ?? {};
    if (!sprint || !task || !offer || !isElsewhere(task) || wordOf(sprint.machine.value) === 'done')
      return [];
    // Each has a branch of its own: what one pushes that is late is in nobody's way.
    const branch = worktreeBranch(stream, taskId, (task.takes ?? 0) + 1);
    const slot = freeSlot(state.streams);
    const after = offer.phase === 'taken' ? afterOf(offer, { worker, deadlineMs }) : {};
    const take: Candidate = { type: 'offer.taken', subject, data: { worker, branch, slot, ...after } };
    taken = offer.phase === 'taken' && offer.losses + 1 >= losses ? 'exhausted' : 'taken';
    if (taken === 'taken') return [take];
    const reason = `${count(offer.losses + 1, 'worker')} in a row were lost with it, the last one ${offer.worker ?? 'unknown'}`;
    return [
      take,
      ...lostWork(task, worker).map((data): Candidate => ({ type: 'task.reopened', subject, data })),
      // Whoever has the sprint would verify its own files for it.
      ...unverifiedLost(sprint, task),
      { type: 'offer.ended', subject, data: { worker, outcome: 'exhausted', reason } },
    ];
  });
  const offer = offerOf(project.state, { stream, taskId });
  const { branch } = offer ?? {};
  return { taken, offer: offer && branch !== undefined ? { ...offer, branch } : undefined };
}

/** Makes sure that a worker has a task, by the state that it decides on. @throws {CliffordError} `SPRINT_TAKEN`. */
export function assertOfferHeld(
  state: ProjectState,
  { worker, ...task }: Pick<TakingTask, 'stream' | 'taskId' | 'worker'>,
): void {
  const offer = offerOf(state, task);
  if (offer?.phase === 'taken' && offer.worker === worker) return;
  const holder = offer?.phase === 'taken' ? `, ${offer.worker ?? 'another one'} has` : '';
  throw new CliffordError(
    `Cannot decide about task ${task.taskId} of sprint ${task.stream}: worker ${worker} does not have it any more${holder}`,
    { code: SPRINT_TAKEN, fix: 'Leave it to whoever has it', recovery: 'give-up' },
  );
}

function offerOf(
  { streams }: Pick<ProjectState, 'streams'>,
  { stream, taskId }: Pick<TakingTask, 'stream' | 'taskId'>,
): TaskOffer | undefined {
  return streams.get(stream)?.tasks.get(taskId)?.offer;
}
