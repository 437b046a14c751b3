import type { ProjectState } from '../../machines/project-state.ts';
import type { TaskOffer } from '../../machines/task-state.ts';
import { calledAs, machineOf } from '../../machines/worker-name.ts';
import { runElsewhere } from '../project/run-elsewhere.ts';
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
  return takenBy(streams.get(sprint)?.tasks.get(task)?.offer);
}

function takenBy(offer: TaskOffer | undefined): { readonly worker: string; readonly at: string } | undefined {
  if (offer?.phase !== 'taken' || offer.worker === undefined) return undefined;
  return { worker: offer.worker, at: offer.at };
}

/** A worker of another machine that is called as this one, and has a sprint or a task now, as the log says. */
export function namesakeOf({ streams }: Pick<ProjectState, 'streams'>, worker: string): string | undefined {
  const held = [...streams.values()].flatMap(({ job, tasks }) => [
    job,
    ...[...tasks.values()].map(({ offer }) => takenBy(offer)),
  ]);
  const isNamesake = (other: string) =>
    calledAs(other) === calledAs(worker) && machineOf(other) !== machineOf(worker);
  return held.find((each) => each !== undefined && isNamesake(each.worker))?.worker;
}

/** Whether a sprint waits in the queue for a worker: it is left to that one. */
export function isQueued({ streams }: Pick<ProjectState, 'streams'>, stream: string): boolean {
  return streams.get(stream)?.queuedAt !== undefined;
}

/** Where it is looked up who runs a sprint. */
type Place = {
  readonly dir: string;
  readonly isShared: boolean;
  readonly state: Pick<ProjectState, 'streams'>;
};

/** Whether somebody runs a sprint, or a worker will. */
export function isRunWithoutUs(project: Place, stream: string): boolean {
  return isQueued(project.state, stream) || isBeingRun(project, stream);
}

/** Whether somebody runs a sprint: a runner on this machine, whatever the log says, or a worker or a runner on any, as the log says. */
export function isBeingRun(project: Place, stream: string): boolean {
  const { dir, state } = project;
  if (workerOf(state, stream) !== undefined || isRunnerAtWork(dir, stream)) return true;
  return runElsewhere(project, state.streams.get(stream)) !== undefined;
}
