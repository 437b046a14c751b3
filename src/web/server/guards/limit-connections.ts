import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { plainAddress } from '../../../lib/net/plain-address.ts';

/**
 * Closes the connections of an address that has so many open already, before anything of them is read: one alone takes no
 * place from all others. Who has an address of IPv6 has all that begin with the same 64 bits.
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

function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', rest] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing =
    rest === undefined ? 0 : 8 - groups.length - rest.split(':').filter((each) => each !== '').length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(rest ?? '').split(':')];
  return all.slice(0, 4).join(':');
}
