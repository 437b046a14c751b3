import { CliffordError } from '../../errors.ts';
import type { Project } from '../project/project.ts';
import { isBeingRun, isQueued } from '../queue/worker-of.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';

/** How long a runner that has just taken a sprint may need to record it, in milliseconds. */
const RECORDED_WITHIN_MS = 5_000;

/**
 * Tells the runner that is at work on a sprint to end its agents and leave, wherever it runs. A later run goes on.
 *
 * @throws {CliffordError} `NOT_RUNNING`.
 */
export async function stopRun(
  project: Project,
  { stream, by }: { readonly stream: string; readonly by: string },
): Promise<void> {
  const { name: runner, run } = await runnerAtWork(project, stream);
  const data = { runner, ...(run !== undefined && { run }), by };
  await project.record(stream, [{ type: 'runner.recalled', subject: stream, data }]);
}

type Runner = NonNullable<SprintState['runner']>;

/** It holds the sprint's lock before the log names it. */
async function runnerAtWork(project: Project, stream: string): Promise<Runner> {
  const named = ({ streams }: ProjectState) => {
    const { runner } = streams.get(stream) ?? {};
    return runner?.left ? undefined : runner;
  };
  const known = named(await project.refresh());
  // One that was killed here keeps the other machines from the sprint until it is told to leave.
  const isSaidToRun = project.isShared && known?.run !== undefined;
  if (!isSaidToRun && !isBeingRun(project, stream)) throw notRunning(project, stream);
  if (known !== undefined) return known;
  const limit = AbortSignal.timeout(RECORDED_WITHIN_MS);
  try {
    return await project.until(named, { signal: limit });
  } catch (error) {
    throw limit.aborted ? notRunning(project, stream) : error;
  }
}

function notRunning({ state }: Pick<Project, 'state'>, stream: string): CliffordError {
  if (isQueued(state, stream))
    return new CliffordError(`Cannot stop sprint ${stream}: it waits in the queue for a worker`, {
      code: 'NOT_RUNNING',
      fix: `Take it out of there with: clifford queue cancel ${stream}`,
    });
  return new CliffordError(`Cannot stop sprint ${stream}: no runner is at work on it`, {
    code: 'NOT_RUNNING',
    fix: `See where it stands with: clifford status ${stream}`,
  });
}
