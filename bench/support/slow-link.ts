import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on loopback on which every byte takes a while, in each direction. */
export type SlowLink = { readonly address: string; readonly close: () => void };

/** Opens one. `oneWayMs`: half of what a question waits for its answer at least. */
export async function openSlowLink(port: number, oneWayMs: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.setNoDelay(true);
    from.on('error', () => undefined);
    from.on('data', (bytes) => void setTimeout(() => to.write(bytes), oneWayMs));
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const link = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    pass(client, server);
    pass(server, client);
  });
  link.listen(0, '127.0.0.1');
  await once(link, 'listening');
  return {
    address: `127.0.0.1:${(link.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      link.close();
    },
  };
}
