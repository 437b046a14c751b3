import { openProject, type Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import type { McpPlace } from './mcp-place.ts';

/**
 * Runs `work` on the project of an `mcp.json`, and closes it afterwards. Its log may not be there yet.
 *
 * @throws {CliffordError} why its log cannot be read.
 */
export async function onProject<T>(
  { env }: Pick<Cli, 'env'>,
  { root }: Pick<McpPlace, 'root'>,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  const project = await openProject({ root, source: '/clifford/cli', env });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}
