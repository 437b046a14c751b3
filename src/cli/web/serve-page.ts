import type { MetricsPlace } from '../../metrics/metrics-server.ts';
import type { Cli } from '../cli.ts';
import { withMetrics } from '../metrics/with-metrics.ts';
import type { Project } from '../../workflow/project/project.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { watchLeaving } from '../run/leaving.ts';
import { withCalls } from '../run/with-calls.ts';
import { withMirror } from '../project/with-mirror.ts';
import { withProject } from '../project/with-project.ts';
import { withSignals } from '../project/with-signals.ts';
import { linksTo, openPage, type PageOrder } from './open-page.ts';
import { toldPage, type ToldPage } from './told-page.ts';

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
  // Who asks for JSON reads it: when that program is gone, nobody has the token.
  const left = json ? untilLeft() : untilInterrupted();
  try {
    const told = await toldPage(server, order);
    if (json) cli.print(JSON.stringify({ url: server.url, token: server.token }));
    else tell(cli, told);
    for (const line of told.exposes) cli.note(line);
    const calls = { project, isOnScreen: false, isPageServed: true, linkTo: linksTo(server, told) };
    await withCalls(cli, calls, () => Promise.race([left.promise, server.failed]));
  } finally {
    left.stop();
    await server.close();
  }
}

function tell(cli: Cli, { address, qr }: ToldPage): void {
  cli.print(`The page of this project: ${address}`);
  cli.say('Whoever has this address answers in your name, until this ends: Ctrl-C');
  cli.printLines([...qr]);
}

type Left = { readonly promise: Promise<void>; readonly stop: () => void };

function untilInterrupted(): Left {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, stop: onInterrupt(() => resolve()) };
}

function untilLeft(): Left {
  const { promise, resolve } = Promise.withResolvers<void>();
  const leaving = watchLeaving();
  leaving.signal.addEventListener('abort', () => resolve(), { once: true });
  return { promise, stop: leaving.stop };
}
