import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { listenNewest } from './newest.ts';
import { startListening, type Listening } from './start-listening.ts';

/** A server over HTTP that speaks the revision 2026-07-28. */
export type NewestServer = Pick<Listening, 'untilSaid'> & {
  readonly url: string;
  readonly port: number;
};

const urlAt = (port: number) => `http://127.0.0.1:${port}/mcp`;

/** Starts the fixture behind a URL; resolves when it listens. It is killed with the test. */
export async function startNewest({ port = 0 }: { port?: number } = {}): Promise<
  NewestServer & Pick<Listening, 'child'>
> {
  const program = fixtureProgram('mcp-servers/newest.ts');
  const server = await startListening([program, 'http', String(port)], 'listening on port');
  const [, listening = ''] = /listening on port (\d+)/.exec(server.said()) ?? [];
  return { ...server, url: urlAt(Number(listening)), port: Number(listening) };
}

/** The same in this process, until the test is finished. */
export async function serveNewest(args: readonly string[] = []): Promise<NewestServer> {
  let said = '';
  const http = await listenNewest(0, args, (words) => {
    said += `${words}\n`;
  });
  onTestFinished(async () => {
    const closed = once(http, 'close');
    http.close();
    http.closeAllConnections();
    await closed;
  });
  const { port } = http.address() as AddressInfo;
  const untilSaid = async (words: string) => {
    await vi.waitUntil(() => said.includes(words), { timeout: 20_000 });
  };
  return { url: urlAt(port), port, untilSaid };
}
