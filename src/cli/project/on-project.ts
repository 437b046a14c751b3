import type { Source } from '../../events/envelope.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';

/** Runs `work` on the project in a folder, and closes it afterwards. Its log may not be there yet. */
export async function onProject<T>(
  { env }: Pick<Cli, 'env'>,
  { root }: { readonly root: string },
  work: (project: Project) => Promise<T>,
  source: Source = '/clifford/cli',
): Promise<T> {
  const project = await openProject({ root, source, env });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}
