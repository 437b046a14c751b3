import { isLoopbackHost } from '../../web/server/caller.ts';
import type { WebServer } from '../../web/server/web-server.ts';
import type { Cli } from '../cli.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { watchLeaving } from '../run/leaving.ts';
import { withCalls } from '../run/with-calls.ts';
import { withProject } from '../project/with-project.ts';
import { withSignals } from '../project/with-signals.ts';
import { openPage, pageAddress, placeAddress, type PageWish } from './open-page.ts';

/** How a page is served until somebody ends it. */
export type ServeOrder = PageWish & {
  /** For programs: one line. */
  readonly json: boolean;
  /** As a picture for the camera of a phone, too. */
  readonly qr: boolean;
};

/** Serves the page of the project until Ctrl-C, and its question files meanwhile. */
export async function servePage(cli: Cli, { json, qr, ...wish }: ServeOrder): Promise<void> {
  const isForOthers = !isLoopbackHost(wish.host);
  await withProject(
    cli,
    (project) =>
      withSignals(cli, { project, isOnScreen: false }, async () => {
        const server = await openPage(cli, project, wish);
        // Who asks for JSON reads it: when that program is gone, nobody has the token.
        const left = json ? untilLeft() : untilInterrupted();
        try {
          if (json) cli.print(JSON.stringify({ url: server.url, token: server.token }));
          else await tellAddress(cli, server, { qr: qr && isForOthers });
          if (isForOthers) for (const line of exposure(server, wish)) cli.note(line);
          // What leads to this machine alone leads nobody anywhere who is elsewhere.
          const linkTo = (stream: string, request: string | undefined) =>
            isForOthers ? placeAddress(server, stream, request) : undefined;
          const calls = { project, isOnScreen: false, isPageServed: true, linkTo };
          await withCalls(cli, calls, () => Promise.race([left.promise, server.failed]));
        } finally {
          left.stop();
          await server.close();
        }
      }),
    '/clifford/web',
  );
}

async function tellAddress(cli: Cli, server: WebServer, { qr }: { readonly qr: boolean }): Promise<void> {
  const address = pageAddress(server);
  cli.print(`The page of this project: ${address}`);
  cli.say('Whoever has this address answers in your name, until this ends: Ctrl-C');
  if (!qr) return;
  const { renderUnicodeCompact } = await import('uqr');
  cli.printLines(['', ...renderUnicodeCompact(address, { border: 2 }).split('\n'), '']);
}

/** What a server that is not for this machine alone exposes. */
function exposure({ port }: WebServer, { tls }: PageWish): string[] {
  return [
    `everybody who reaches port ${port} of this machine can ask for the page; without the token it answers nothing else`,
    ...(tls
      ? []
      : [
          'what is sent is not encrypted: whoever is on the way can read the token, and answer. ' +
            `Better: ssh -L ${port}:127.0.0.1:${port} <this machine>, a private overlay network, or --cert and --key`,
        ]),
  ];
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
