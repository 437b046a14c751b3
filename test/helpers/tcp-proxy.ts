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
  /** From now on, all gets lost, and no end comes, as where one side is asleep. */
  dropAll(): void;
  /** The next connections work; those there are stay as they are. */
  passNewOnes(): void;
  /** Ends the connections there are; the next ones work. */
  cut(): void;
};

/**
 * Passes on what comes to a port of its own, until the test is finished.
 *
 * @param port - Of the server; a function where that is known later.
 */
export async function openTcpProxy(port: number | (() => number)): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let lost: 'nothing' | 'answers' | 'requests' | 'all' | 'from next append' = 'nothing';
  const dead = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    const server = connect(typeof port === 'number' ? port : port(), '127.0.0.1');
    track(client);
    track(server);
    const isDead = () => {
      if (lost === 'all') dead.add(client);
      return dead.has(client);
    };
    client.on('data', (bytes) => {
      if (lost === 'from next append' && bytes.includes('PUB clifford.ev.')) lost = 'requests';
      if (lost !== 'requests' && !isDead()) server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (lost !== 'answers' && !isDead()) client.write(bytes);
    });
    server.on('close', () => {
      if (!isDead()) client.destroy();
    });
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
    dropAll() {
      lost = 'all';
      for (const socket of sockets) dead.add(socket);
    },
    passNewOnes() {
      lost = 'nothing';
    },
    cut,
  };
}
