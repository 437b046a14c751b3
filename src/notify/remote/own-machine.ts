import { isIPv4 } from 'node:net';

/** Whether a host, by name or address, is this machine. */
export function isOwnMachine(host: string): boolean {
  const name = host.replaceAll(/[[\]]/g, '').toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIPv4(name) && name.startsWith('127.'))
  );
}
