import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Node tells of each socket here that is to be connected. */
const CHANNEL = 'net.client.socket';

/**
 * Connects. Where that fails, what was opened for it is closed: the client of NATS leaves its socket open to a server that takes
 * connections and says nothing, and a process with one does not end.
 */
export async function closingSockets<T>(connect: () => Promise<T>): Promise<T> {
  const own = new AsyncLocalStorage<true>();
  const opened: Socket[] = [];
  const note = (message: unknown) => {
    if (own.getStore()) opened.push((message as { readonly socket: Socket }).socket);
  };
  subscribe(CHANNEL, note);
  try {
    return await own.run(true, connect);
  } catch (error) {
    for (const socket of opened) socket.destroy();
    throw error;
  } finally {
    unsubscribe(CHANNEL, note);
  }
}
