import { plainAddress } from '../../../lib/net/plain-address.ts';

/** What is counted as one address: who has one of IPv6 has all that begin with the same 64 bits, and who is here all of 127.0.0.0/8. */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain.startsWith('127.') ? '127' : plain;
  const [head = '', rest] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing =
    rest === undefined ? 0 : 8 - groups.length - rest.split(':').filter((each) => each !== '').length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(rest ?? '').split(':')];
  return all.slice(0, 4).join(':');
}
