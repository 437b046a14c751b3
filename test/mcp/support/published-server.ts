import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { published } from './gateway-servers.ts';
import { startListening } from './start-listening.ts';

/** How the published server "everything" is told to listen, and where it then answers. */
const modes = {
  http: { mode: 'streamableHttp', path: 'mcp' },
  sse: { mode: 'sse', path: 'sse' },
} as const;

export type UrlTransport = keyof typeof modes;

/** Starts the published server "everything" behind a URL, which is returned. */
export async function startEverything(transport: UrlTransport): Promise<string> {
  const port = await freePort();
  await startEverythingAt(port, transport);
  return everythingAt(port, transport);
}

/** The URL of one that listens on a port. */
export function everythingAt(port: number, transport: UrlTransport): string {
  return `http://127.0.0.1:${port}/${modes[transport].path}`;
}

/** Resolves when it listens. It is killed with the test. */
export async function startEverythingAt(port: number, transport: UrlTransport): Promise<ChildProcess> {
  const args = [published.everything, modes[transport].mode];
  const env = { ...process.env, PORT: String(port) };
  const { child } = await startListening(args, `port ${port}`, env);
  return child;
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
