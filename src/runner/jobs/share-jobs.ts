import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { TaskState } from '../../machines/project-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { startJob, type JobDeps } from './job-deps.ts';

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
        return isFree(task) ? [{ type: 'offer.made', subject, data: { worker, base, needs } }] : [];
      });
      if (made.length > 0) await sharing.add(taskId, needs);
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      // It is done here then, and so are the others.
      memory.isSharing = false;
      listeners.emit('problem', `task ${taskId} is not left to other workers: ${error.inOneLine}`);
      await withdraw(deps, taskId, error.inOneLine);
    }
  });
}

/** Takes back a task that nobody has taken. */
export async function withdrawOffer(deps: JobDeps, taskId: string): Promise<void> {
  await withdraw(deps, taskId, 'the worker that has the sprint has room for it');
  await deps.sharing?.remove(taskId);
}

/** Sees to it that the queue has what the log says is offered: who offered it may have been gone before it was there. */
export async function offerAgain(
  { project, folder, sharing }: JobDeps,
  away: readonly string[],
): Promise<void> {
  const tasks = project.state.streams.get(folder.manifest.id)?.tasks;
  for (const taskId of away) await sharing?.add(taskId, tasks?.get(taskId)?.offer?.needs ?? []);
}

async function withdraw(
  { project, folder, sharing }: JobDeps,
  taskId: string,
  reason: string,
): Promise<void> {
  const stream = folder.manifest.id;
  const data = { worker: sharing?.worker ?? '', reason: reason.slice(0, MAX_TEXT_LENGTH) };
  await project.dispatch(stream, (state) =>
    isOpen(state.streams.get(stream)?.tasks.get(taskId))
      ? [{ type: 'offer.withdrawn', subject: subjectOf(stream, taskId), data }]
      : [],
  );
}

/** Nobody has it, and nobody has completed it. */
function isOpen(task: TaskState | undefined): boolean {
  return task?.offer?.phase === 'open' && wordOf(task.machine.value) !== 'done';
}

function isFree(task: TaskState | undefined): boolean {
  return task !== undefined && task.offer === undefined && nameOf(task.machine.value) === 'pending';
}
