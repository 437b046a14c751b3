import { CliffordError } from '../../errors.ts';
import { subjectOf } from '../../events/envelope.ts';
import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import type { HeldJob } from '../../events/queue/job-queue.ts';
import { JobHold } from './job-hold.ts';
import { SPRINT_TAKEN } from './take-sprint.ts';
import type { JobDeps } from './worker-deps.ts';
import type { SprintLeft } from './worker-events.ts';
import { workOnSprint } from './work-on-sprint.ts';
import { workOnTask } from './work-on-task.ts';

/** Works on what the queue has handed out, a sprint or a task of one, and says in log and queue what became of it. */
export async function workOn(deps: JobDeps, job: HeldJob): Promise<SprintLeft> {
  const report = (problem: string) => void deps.listeners.emit('problem', problem);
  const hold = new JobHold(job, report);
  const { task } = job;
  try {
    return await (task === undefined
      ? workOnSprint(deps, { job, hold })
      : workOnTask(deps, { job: { ...job, task }, hold }));
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    const left = { sprint: subjectOf(job.sprint, task), reason: error.message };
    if (error.code === SPRINT_TAKEN) return { ...left, how: 'taken over' };
    if (!mayBeTriedAgain(error)) throw error;
    // Log or queue are away: nothing can be said, and when nothing is heard of this worker another one has it.
    report(error.inOneLine);
    return { ...left, how: 'returned' };
  } finally {
    hold.end();
  }
}
