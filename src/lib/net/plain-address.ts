import { isIPv6 } from 'node:net';

/**
 * An IP address in the one way to write it: `::ffff:127.0.0.1` is `127.0.0.1`, and without the zone that a local one has in
 * IPv6 (`%eth0`).
 */
export function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, '');
  if (!isIPv6(bare)) return bare;
  const short = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}
