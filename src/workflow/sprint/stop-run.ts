import { CliffordError } from '../../errors.ts';
import type { Project } from '../project/project.ts';
import { isRunnerAtWork } from '../project/runner-lock.ts';

/**
 * Tells the runner that is at work on a sprint to end its agents and leave, wherever it runs. A later run goes on.
 *
 * @throws {CliffordError} `NOT_RUNNING`.
 */
export async function stopRun(
  project: Project,
  { stream, by }: { readonly stream: string; readonly by: string },
): Promise<void> {
  const runner = (await project.refresh()).streams.get(stream)?.runner?.name;
  if (runner === undefined || !isRunnerAtWork(project.dir, stream)) throw notRunning(stream);
  await project.record(stream, [{ type: 'runner.recalled', subject: stream, data: { runner, by } }]);
}

function notRunning(stream: string): CliffordError {
  return new CliffordError(`Cannot stop sprint ${stream}: no runner is at work on it`, {
    code: 'NOT_RUNNING',
    fix: `See where it stands with: clifford status ${stream}`,
  });
}
