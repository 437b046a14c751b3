import type { ProjectState } from '../../machines/project-state.ts';
import { isRunnerAtWork } from '../project/runner-lock.ts';

/** The worker that has a sprint, as the log says; one that died still has it until another one takes it over. */
export function workerOf({ streams }: Pick<ProjectState, 'streams'>, stream: string): string | undefined {
  return streams.get(stream)?.job?.worker;
}

/** Whether somebody runs a sprint: a runner on this machine, whatever the log says, or a worker on any, as the log says. */
export function isBeingRun(
  { dir, state }: { readonly dir: string; readonly state: Pick<ProjectState, 'streams'> },
  stream: string,
): boolean {
  return workerOf(state, stream) !== undefined || isRunnerAtWork(dir, stream);
}
