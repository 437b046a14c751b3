import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network-of.ts';

/**
 * Closes the connections of an address that has so many open already, before anything of them is read: one alone takes no
 * place from all others.
 */
export function limitConnections(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const from = networkOf(socket.remoteAddress ?? '');
    const count = open.get(from) ?? 0;
    if (count >= most) return void socket.destroy();
    open.set(from, count + 1);
    socket.once('close', () => {
      const left = (open.get(from) ?? 1) - 1;
      if (left > 0) open.set(from, left);
      else open.delete(from);
    });
  });
}
