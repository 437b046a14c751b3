import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Ports that nobody has: they are known before the servers are started. */
export async function freePorts(count: number): Promise<number[]> {
  const holders = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(holders.map((holder) => once(holder, 'listening')));
  const ports = holders.map((holder) => (holder.address() as AddressInfo).port);
  await Promise.all(
    holders.map((holder) => {
      holder.close();
      return once(holder, 'close');
    }),
  );
  return ports;
}
