import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { openPage, pageAddress, type PageWish } from './open-page.ts';

/**
 * Serves the page of a project while `work` goes on, where it is wanted; to this machine alone. `work` is handed its
 * address.
 *
 * @param wish - Where. `undefined`: it is not wanted.
 */
export async function withPage<T>(
  cli: Cli,
  project: Project,
  wish: Pick<PageWish, 'port'> | undefined,
  work: (address: string | undefined) => Promise<T>,
): Promise<T> {
  if (!wish) return work(undefined);
  const server = await openPage(cli, project, wish);
  try {
    const address = pageAddress(server);
    cli.print(`In the browser: ${address}`);
    return await work(address);
  } finally {
    await server.close();
  }
}
