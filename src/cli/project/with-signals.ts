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
  try {
    return await work();
  } finally {
    await signals.stop();
    problems.forEach(cli.note);
  }
}

function lineOf(problem: unknown): string {
  if (problem instanceof CliffordError) return problem.inOneLine;
  return problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
}
