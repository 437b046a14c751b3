import type { MetricsPlace } from '../../metrics/metrics-server.ts';
import type { Cli } from '../cli.ts';
import { withMetrics } from '../metrics/with-metrics.ts';
import type { Project } from '../../workflow/project/project.ts';
import { withCalls } from '../run/with-calls.ts';
import { withMirror } from '../project/with-mirror.ts';
import { withProject } from '../project/with-project.ts';
import { withSignals } from '../project/with-signals.ts';
import { linksTo, openPage, type PageOrder } from './open-page.ts';
import { untilEnded } from './until-ended.ts';

/** How a page is served until somebody ends it. */
export type ServeOrder = PageOrder & {
  /** For programs: one line. */
  readonly json: boolean;
  /** Serve metrics meanwhile, there. */
  readonly metrics?: MetricsPlace | undefined;
};

/** Serves the page of the project until Ctrl-C, and its question files meanwhile. */
export async function servePage(cli: Cli, { json, metrics, ...order }: ServeOrder): Promise<void> {
  await withProject(
    cli,
    (project) =>
      withMirror(cli, project, { isOnScreen: false }, () =>
        withSignals(cli, { project, isOnScreen: false }, () =>
          withMetrics(cli, project, metrics, () => serveHere(cli, project, { json, ...order })),
        ),
      ),
    '/clifford/web',
  );
}

async function serveHere(cli: Cli, project: Project, { json, ...order }: ServeOrder): Promise<void> {
  const server = await openPage(cli, project, order);
  await untilEnded(cli, server, { json, what: 'this project', ...order }, async (ended) => {
    const calls = { project, isOnScreen: false, isPageServed: true, linkTo: linksTo(server, order) };
    await withCalls(cli, calls, () => ended);
  });
}
