import type { Source } from '../../events/envelope.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { giveBackFiles } from '../run/give-back-files.ts';

/**
 * Runs `work` on the project the command was typed in, and closes it afterwards. Before that, what a runner
 * that was killed had changed is given back.
 */
export async function withProject<T>(
  cli: Pick<Cli, 'env' | 'cwd' | 'note'>,
  work: (project: Project) => Promise<T>,
  source: Source = '/clifford/cli',
): Promise<T> {
  const { env } = cli;
  const project = await openProject({ root: requireProjectRoot(cli), source, env });
  try {
    await giveBackFiles(cli, project.dir);
    return await work(project);
  } finally {
    await project.close();
    // What was decided is durable, and that is what counts for the exit code.
    for (const { inOneLine } of project.unwritten()) cli.note(inOneLine);
  }
}
