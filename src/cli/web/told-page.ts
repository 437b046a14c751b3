import { isLoopbackHost } from '../../lib/net/own-address.ts';
import type { WebServer } from '../../web/server/web-server.ts';
import { pageAddress, type PageOrder } from './open-page.ts';

/** What a person is told of a page that is served. */
export type ToldPage = {
  readonly address: string;
  /** Others than this machine reach it. */
  readonly isForOthers: boolean;
  /** The address as a picture for the camera of a phone, line by line. Empty: nobody wants it. */
  readonly qr: readonly string[];
  /** What is exposed by it: a line each. */
  readonly exposes: readonly string[];
};

/** What to tell a person of a page that is served so. */
export async function toldPage(server: WebServer, { host, tls, qr }: PageOrder): Promise<ToldPage> {
  const address = pageAddress(server);
  const isForOthers = !isLoopbackHost(host);
  return {
    address,
    isForOthers,
    qr: qr && isForOthers ? await codeOf(address) : [],
    exposes: isForOthers ? exposure(server, tls !== undefined) : [],
  };
}

async function codeOf(address: string): Promise<string[]> {
  const { renderUnicodeCompact } = await import('uqr');
  return ['', ...renderUnicodeCompact(address, { border: 2 }).split('\n'), ''];
}

/** What a server that is not for this machine alone exposes. */
function exposure({ port }: WebServer, isEncrypted: boolean): string[] {
  return [
    `everybody who reaches port ${port} of this machine can ask for the page; without the token it answers nothing else`,
    ...(isEncrypted
      ? []
      : [
          'what is sent is not encrypted: whoever is on the way can read the token, and answer. ' +
            `Better: ssh -L ${port}:127.0.0.1:${port} <this machine>, a private overlay network, or --cert and --key`,
        ]),
  ];
}
