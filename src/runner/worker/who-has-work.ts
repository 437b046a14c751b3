import { taskOf } from '../../events/envelope.ts';
import type { JobQueue } from '../../events/queue/job-queue.ts';
import { placeOf } from '../../machines/worker-name.ts';
import type { Project } from '../../workflow/project/project.ts';

/** What a worker is known to the queue by besides its labels, however often it is started. No label has an `@` in it. */
export function placeLabel(worker: string): string {
  return `@${encodeURIComponent(placeOf(worker))}`;
}

/** The task of a sprint whose work is looked for, and the worker that lacks it. */
type Search = {
  readonly queue: Pick<JobQueue, 'withoutWorker'>;
  /** What a worker has to have that takes it. */
  readonly needs: readonly string[];
  readonly stream: string;
  readonly tasks: readonly string[];
  readonly worker: string;
};

/**
 * Another worker that was the last to work on all of these tasks, if it is there, maybe started anew, and may take the sprint: on another
 * machine, or in another folder of this one. `undefined`: it is not, or nobody can tell.
 */
export async function whoHasWork(
  { log }: Pick<Project, 'log'>,
  { queue, needs, stream, tasks, worker }: Search,
): Promise<string | undefined> {
  const had = await lastWorkers(log, stream);
  const [other, ...others] = tasks.map((task) => had.get(task));
  if (other === undefined || placeOf(other) === placeOf(worker)) return undefined;
  if (others.some((each) => each === undefined || placeOf(each) !== placeOf(other))) return undefined;
  const asked = {
    sprint: stream,
    lane: 'next',
    by: worker,
    at: '',
    needs: [...needs, placeLabel(other)],
  } as const;
  return (await queue.withoutWorker([asked]))?.length === 0 ? other : undefined;
}

/** The worker that was the last to work on each task; none where somebody did so by hand. */
async function lastWorkers(log: Pick<Project['log'], 'read'>, stream: string): Promise<Map<string, string>> {
  const had = new Map<string, string>();
  /** Those that have a task which the sprint's worker has let them take. */
  const takers = new Map<string, string>();
  let owner: string | undefined;
  for await (const { events } of log.read({ stream }))
    for (const { type, subject, data } of events) {
      const task = taskOf(subject);
      if (type === 'job.taken') owner = data.worker;
      else if (type === 'job.returned' || type === 'job.ended') owner = undefined;
      else if (task === undefined) continue;
      else if (type === 'offer.taken') takers.set(task, data.worker);
      else if (type === 'offer.returned' || type === 'offer.ended' || type === 'offer.withdrawn')
        takers.delete(task);
      else if (type === 'task.completed' || type === 'worktree.claimed' || type === 'worktree.merged') {
        const one = takers.get(task) ?? owner;
        if (one === undefined) had.delete(task);
        else had.set(task, one);
      }
    }
  return had;
}
