import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readOr } from './lock-holder.ts';

/** A TCP connection, as the end that it is asked about sees it. */
export type Connection = { readonly localPort: number; readonly remotePort: number };

/**
 * The process of this machine that has one end of a TCP connection. `undefined`: it is another user's, in another
 * namespace, gone, or this is no Linux. Looks at the open files of processes, the newest first: some 10 ms.
 */
export function socketOwner(connection: Connection): number | undefined {
  const inode = ['tcp', 'tcp6'].map((table) => inodeOf(table, connection)).find((each) => each !== undefined);
  if (inode === undefined) return undefined;
  const socket = `socket:[${inode}]`;
  const pids = readOr([], () => readdirSync('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .toSorted((one, other) => other - one);
  return pids.find((pid) => {
    const folder = `/proc/${pid}/fd`;
    return readOr([], () => readdirSync(folder)).some(
      (fd) => readOr('', () => readlinkSync(`${folder}/${fd}`)) === socket,
    );
  });
}

/** `sl local_address rem_address st …`, addresses as hexadecimal `ADDRESS:PORT`, the inode ninth behind `sl`. */
function inodeOf(table: string, { localPort, remotePort }: Connection): string | undefined {
  const text = readOr('', () => readFileSync(`/proc/net/${table}`, 'utf8'));
  for (const line of text.split('\n').slice(1)) {
    const [, local = '', remote = '', , , , , , , inode] = line.trim().split(/\s+/);
    if (portOf(local) === localPort && portOf(remote) === remotePort && inode !== '0') return inode;
  }
  return undefined;
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}
