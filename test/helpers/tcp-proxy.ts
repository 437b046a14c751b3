import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to a server on loopback that can fail. */
export type TcpProxy = {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** From now on, what the server answers gets lost. */
  dropAnswers(): void;
  /** From now on, what the server is asked gets lost. */
  dropRequests(): void;
  /** The same from the next append to a log on. */
  dropFromNextAppend(): void;
  /** Ends the connections there are; the next ones work. */
  cut(): void;
};

/** Passes on what comes to a port of its own, until the test is finished. */
export async function openTcpProxy(port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let lost: 'nothing' | 'answers' | 'requests' | 'from next append' = 'nothing';
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    track(client);
    track(server);
    client.on('data', (bytes) => {
      if (lost === 'from next append' && bytes.includes('PUB clifford.ev.')) lost = 'requests';
      if (lost !== 'requests') server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (lost !== 'answers') client.write(bytes);
    });
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const cut = () => {
    lost = 'nothing';
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    proxy.close();
  });
  return {
    address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    dropAnswers() {
      lost = 'answers';
    },
    dropRequests() {
      lost = 'requests';
    },
    dropFromNextAppend() {
      lost = 'from next append';
    },
    cut,
  };
}
