import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network-of.ts';

/** Which connection it is, whatever is between it and who speaks of it. */
type Ends = Pick<Socket, 'remoteAddress' | 'remotePort'>;

/**
 * Keeps one address from taking the places of all others, and whoever has no token from taking those of who has one: where an
 * address has so many connections open already, the oldest makes room for another one of which no request has had a valid token. Where
 * all of them had, the new one is closed before anything of it is read.
 *
 * @returns what is to be told of each connection that has sent a valid token.
 */
export function limitConnections(server: Server, most: number): (connection: Ends) => void {
  /** By their networks, in the order in which they came. */
  const open = new Map<string, Map<string, { readonly socket: Socket; isKnown: boolean }>>();
  server.on('connection', (socket: Socket) => {
    const { from, key } = placeOf(socket);
    const here = open.get(from) ?? new Map<string, { socket: Socket; isKnown: boolean }>();
    if (here.size >= most) {
      const oldest = [...here].find(([, { isKnown }]) => !isKnown);
      if (!oldest) return void socket.destroy();
      here.delete(oldest[0]);
      oldest[1].socket.destroy();
    }
    open.set(from, here.set(key, { socket, isKnown: false }));
    socket.once('close', () => {
      if (here.get(key)?.socket === socket) here.delete(key);
      if (here.size === 0) open.delete(from);
    });
  });
  return (connection) => {
    const { from, key } = placeOf(connection);
    const found = open.get(from)?.get(key);
    if (found) found.isKnown = true;
  };
}

function placeOf({ remoteAddress = '', remotePort = 0 }: Ends): { from: string; key: string } {
  return { from: networkOf(remoteAddress), key: `${remoteAddress} ${remotePort}` };
}
