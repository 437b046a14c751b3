import type { Source } from '../events/envelope.ts';
import { requireProjectRoot } from '../workflow/project-root.ts';
import { openProject } from '../workflow/project.ts';
import type { Project } from '../workflow/project.ts';
import type { Cli } from './cli.ts';

/**
 * Runs `work` on the project the command was typed in, and closes it afterwards.
 *
 * @throws {CliffordError} `NO_PROJECT`, `ROOT_MISSING`, or why its log cannot be read.
 */
export async function withProject<T>(
  { env, cwd }: Pick<Cli, 'env' | 'cwd'>,
  work: (project: Project) => Promise<T>,
  source: Source = '/clifford/cli',
): Promise<T> {
  const project = await openProject({ root: requireProjectRoot({ env, cwd }), source, env });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}
