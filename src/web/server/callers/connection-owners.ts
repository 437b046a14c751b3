import type { Socket } from 'node:net';
import { socketOwners, type Connection, type SocketOwners } from '../../../lib/processes/socket-owners.ts';

/**
 * A browser has all its connections in one process, which is no agent's: it is looked at first for the next one. With a decision,
 * so is each that may be an agent's: any may have handed its connection on.
 */
const MOST_LIKELY = 8;
const likely = new Set<number>();

/** What is found out of a connection as a whole is kept with the same object. */
const connections = new WeakMap<Socket, Connection>();

/**
 * The processes that have the other end of a connection.
 *
 * @param isPassedOver - Where one that is likely to has it: which others are not looked at. Default: all.
 */
export function ownersOf(socket: Socket, isPassedOver?: (pid: number) => boolean): SocketOwners {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return { is: 'nobody' };
  if (localAddress === undefined || localPort === undefined) return { is: 'nobody' };
  const connection = connections.get(socket) ?? {
    local: { address: remoteAddress, port: remotePort },
    remote: { address: localAddress, port: localPort },
  };
  connections.set(socket, connection);
  return socketOwners(connection, { pids: likely, ...(isPassedOver && { isPassedOver }) });
}

/** One that has a connection alone is likely to have the next one; one that has it with others is not: they would not be looked for. */
export function expectFrom([pid, ...others]: readonly number[]): void {
  if (pid === undefined || others.length > 0) return;
  likely.delete(pid);
  likely.add(pid);
  for (const oldest of [...likely].slice(0, -MOST_LIKELY)) likely.delete(oldest);
}
