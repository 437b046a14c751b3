import type { ProjectState } from '../../machines/project-state.ts';
import { isRunnerAtWork } from '../project/runner-lock.ts';

/** The worker that has a sprint, as the log says; one that died still has it until another one takes it over. */
export function workerOf({ streams }: Pick<ProjectState, 'streams'>, stream: string): string | undefined {
  return streams.get(stream)?.job?.worker;
}

/** The worker that has a job of the queue: a sprint, or a task of one that its worker has left to others. */
export function holderOf(
  { streams }: Pick<ProjectState, 'streams'>,
  { sprint, task }: { readonly sprint: string; readonly task?: string | undefined },
): { readonly worker: string; readonly at: string } | undefined {
  if (task === undefined) return streams.get(sprint)?.job;
  const offer = streams.get(sprint)?.tasks.get(task)?.offer;
  if (offer?.phase !== 'taken' || offer.worker === undefined) return undefined;
  return { worker: offer.worker, at: offer.at };
}

/** Whether somebody runs a sprint: a runner on this machine, whatever the log says, or a worker on any, as the log says. */
export function isBeingRun(
  { dir, state }: { readonly dir: string; readonly state: Pick<ProjectState, 'streams'> },
  stream: string,
): boolean {
  return workerOf(state, stream) !== undefined || isRunnerAtWork(dir, stream);
}
