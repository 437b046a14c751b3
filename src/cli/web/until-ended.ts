import type { WebServer } from '../../web/server/web-server.ts';
import type { Cli } from '../cli.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { watchLeaving } from '../run/leaving.ts';
import type { PageOrder } from './open-page.ts';
import { toldPage, type ToldPage } from './told-page.ts';

type EndOrder = PageOrder & {
  /** For programs: one line. */
  readonly json: boolean;
  /** What is served, as people are told it: `this project`. */
  readonly what: string;
};

/** Says where a server is, lets `work` go on until somebody ends it, or it ends itself, and closes it. */
export async function untilEnded(
  cli: Cli,
  server: WebServer,
  { json, what, ...order }: EndOrder,
  work: (ended: Promise<void>) => Promise<void>,
): Promise<void> {
  // Who asks for JSON reads it: when that program is gone, nobody has the token.
  const left = json ? untilLeft() : untilInterrupted();
  try {
    const told = await toldPage(server, order);
    if (json) cli.print(JSON.stringify({ url: server.url, token: server.token }));
    else tell(cli, what, told);
    for (const line of told.exposes) cli.note(line);
    await work(Promise.race([left.promise, server.failed]));
  } finally {
    left.stop();
    await server.close();
  }
}

function tell(cli: Cli, what: string, { address, qr }: ToldPage): void {
  cli.print(`The page of ${what}: ${address}`);
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
