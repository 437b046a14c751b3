import { CliffordError } from '../../errors.ts';
import { serveSignals } from '../../signals/serve-signals.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';

/**
 * Serves the question files of a project while `work` goes on.
 *
 * @param isOnScreen - The terminal is not ours to print on: problems are said when `work` is done.
 */
export async function withSignals<T>(
  cli: Cli,
  { project, isOnScreen }: { project: Project; isOnScreen: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const problems: string[] = [];
  const signals = serveSignals({
    root: project.root,
    env: cli.env,
    configMemory: cli.configMemory,
    project: async () => project.as('/clifford/signals'),
    report: (problem) => {
      if (isOnScreen) problems.push(lineOf(problem));
      else cli.note(lineOf(problem));
    },
  });
  let failure: string | undefined;
  try {
    return await work();
  } catch (error) {
    failure = lineOf(error);
    throw error;
  } finally {
    await signals.stop();
    // What `work` failed with, too, is told once: as the failure.
    for (const problem of problems)
      if (failure === undefined || !problem.endsWith(failure)) cli.note(problem);
  }
}

function lineOf(problem: unknown): string {
  if (problem instanceof CliffordError) return problem.inOneLine;
  return problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
}
