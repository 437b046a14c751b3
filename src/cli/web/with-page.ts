import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { linksTo, openPage, type LinkTo, type PageOrder } from './open-page.ts';
import { toldPage, type ToldPage } from './told-page.ts';

/** A page that is served beside something else. */
export type PageBeside = ToldPage & {
  /** Where others see a request, or a sprint. */
  readonly linkTo: LinkTo;
};

/**
 * Serves the page of a project while `work` goes on, where it is wanted, and says where it is and what it exposes. `work` is
 * handed that, too: a screen hides what was printed before it.
 *
 * @param order - How. `undefined`: it is not wanted.
 */
export async function withPage<T>(
  cli: Cli,
  project: Project,
  order: PageOrder | undefined,
  work: (page: PageBeside | undefined) => Promise<T>,
): Promise<T> {
  if (!order) return work(undefined);
  const server = await openPage(cli, project, { anyPort: '--web 0', ...order });
  try {
    const told = await toldPage(server, order);
    cli.print(`In the browser: ${told.address}`);
    cli.printLines([...told.qr]);
    for (const line of told.exposes) cli.note(line);
    return await work({ ...told, linkTo: linksTo(server, order) });
  } finally {
    await server.close();
  }
}
