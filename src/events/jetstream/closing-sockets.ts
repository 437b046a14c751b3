import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Node tells of each socket here that is to be connected. */
const CHANNEL = 'net.client.socket';

/** What was connected, and what closes each socket that was opened for it, then or since. */
type WithSockets<T> = { readonly made: T; readonly closeSockets: () => void };

/**
 * Connects. Where that fails, what was opened for it is closed: the client of NATS leaves its sockets open to a server that takes
 * connections and says nothing, when it is closed, too, and a process with one does not end.
 */
export async function closingSockets<T>(connect: () => Promise<T>): Promise<WithSockets<T>> {
  const own = new AsyncLocalStorage<true>();
  const opened = new Set<Socket>();
  const note = (message: unknown) => {
    if (!own.getStore()) return;
    const { socket } = message as { readonly socket: Socket };
    opened.add(socket);
    socket.once('close', () => opened.delete(socket));
  };
  const closeSockets = () => {
    unsubscribe(CHANNEL, note);
    for (const socket of opened) socket.destroy();
  };
  subscribe(CHANNEL, note);
  try {
    return { made: await own.run(true, connect), closeSockets };
  } catch (error) {
    closeSockets();
    throw error;
  }
}
