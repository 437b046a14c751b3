import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { plainAddress } from './plain-address.ts';

/** Whether a connection that comes from this address comes from this machine: by whichever of its own addresses. */
export function isOwnAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  if (isLoopback(address)) return true;
  const from = plainAddress(address);
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some((each) => plainAddress(each.address) === from);
}

/** Whether a server that listens there is for this machine alone; by default it is. */
export function isLoopbackHost(host: string | undefined): boolean {
  return host === undefined || host === 'localhost' || isLoopback(host);
}

/** Whether an address is one of this machine alone. */
function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && /^(?:::1$|(?:::ffff:)?127\.)/.test(address);
}
