import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { unverifiedLost } from '../reconcile/lose-unverified.ts';
import { mayBeOffered } from '../reconcile/share.ts';
import { startJob, type JobDeps } from './job-deps.ts';

/** What it takes to take a task back. */
type OfferDeps = Pick<JobDeps, 'project' | 'folder' | 'sharing'>;

/** How long nothing is left to others after that has failed, in ms. */
const AGAIN_MS = 60_000;

/** Lets other workers take a task: what it begins with is pushed, then the log says so, then the queue has it. */
export function startOffer(deps: JobDeps, taskId: string): void {
  const { project, folder, memory, listeners, sharing } = deps;
  const stream = folder.manifest.id;
  const subject = subjectOf(stream, taskId);
  const finish = () => Promise.resolve();
  startJob(deps, { kind: 'offer', taskId, finish }, async ({ signal }) => {
    if (!sharing) return;
    const { worker } = sharing;
    const needs = [...sharing.needsOf(taskId)];
    try {
      const base = await sharing.push(signal);
      const made = await project.dispatch(stream, (state): Candidate[] => {
        const task = state.streams.get(stream)?.tasks.get(taskId);
        return task && mayBeOffered(task)
          ? [{ type: 'offer.made', subject, data: { worker, base, needs } }]
          : [];
      });
      if (made.length > 0) await sharing.add(taskId, needs);
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      // Until then it is done here, as the others are; what others have to do waits.
      memory.sharesFrom = Date.now() + AGAIN_MS;
      listeners.emit(
        'problem',
        `task ${taskId} is not left to other workers for a minute: ${error.inOneLine}`,
      );
      await withdraw(deps, taskId, error.inOneLine);
    }
  });
}

/** Takes back a task, unless somebody has taken it by now. */
export async function withdrawOffer(deps: OfferDeps, taskId: string): Promise<void> {
  const isBack = await withdraw(deps, taskId, 'the worker that has the sprint has room for it');
  if (isBack) await deps.sharing?.remove(taskId);
}

/** Sees to it that the queue has what the log says is offered: who offered it may have been gone before it was there. */
export async function offerAgain(
  { project, folder, sharing }: JobDeps,
  away: readonly string[],
): Promise<void> {
  const tasks = project.state.streams.get(folder.manifest.id)?.tasks;
  for (const taskId of away) await sharing?.add(taskId, tasks?.get(taskId)?.offer?.needs ?? []);
}

/** @returns whether it was open until now. */
async function withdraw(
  { project, folder, sharing }: OfferDeps,
  taskId: string,
  reason: string,
): Promise<boolean> {
  const stream = folder.manifest.id;
  const data = { worker: sharing?.worker ?? '', reason: reason.slice(0, MAX_TEXT_LENGTH) };
  const made = await project.dispatch(stream, ({ streams }): Candidate[] => {
    const sprint = streams.get(stream);
    const task = sprint?.tasks.get(taskId);
    if (!sprint || !task || !isOpen(task)) return [];
    const withdrawn = { type: 'offer.withdrawn', subject: subjectOf(stream, taskId), data } as const;
    // Who had it may have been gone before its work was verified: here would be other files.
    return [...unverifiedLost(sprint, task), withdrawn];
  });
  return made.length > 0;
}

/** Nobody has it, and nobody has completed it. */
function isOpen({ offer, machine }: TaskState): boolean {
  return offer?.phase === 'open' && wordOf(machine.value) !== 'done';
}
